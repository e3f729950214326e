import { demo } from '../../../api/http/demo.js';
import { createFolder } from '../../../domain/files/folders/create-folder.js';
import { fileLabels } from '../../../domain/files/labels/file-labels.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { expectId } from './expect-id.js';

/** Creates the folders and the labels of files that the examples name. */
export async function buildExampleFiles(context: CommandContext): Promise<void> {
  const leaflets = await createFolder(context, { name: 'Leaflets', access: 'workspace' });
  expectId('folder', leaflets, demo.folderId);
  expectId('folder to delete', await createFolder(context, { name: 'Drafts' }), demo.folderToDelete);
  const label = await createLabel(context, fileLabels, { name: 'For patients' });
  expectId('file label', label, demo.fileLabelId);
  const toDelete = await createLabel(context, fileLabels, { name: 'Outdated' });
  expectId('file label to delete', toDelete, demo.fileLabelToDelete);
}
