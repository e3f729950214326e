import { Readable } from 'node:stream';
import { demo } from '../../../api/http/demo.js';
import type { VersionContent } from '../../../db/files/files.js';
import { createFile } from '../../../domain/files/files/create-file.js';
import { createFolder } from '../../../domain/files/folders/create-folder.js';
import { fileLabels } from '../../../domain/files/labels/file-labels.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import { createShare, type Shared } from '../../../domain/files/shares/shares.js';
import { dropUpload, storeUpload } from '../../../domain/files/versions/store-upload.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { expectId } from './expect-id.js';

const leaflet = `# After your visit

Drink at least two litres of water a day, and rest for two days.
Do not drive for 24 hours. Take the bandage off on the third day.

Call the clinic at once if you have a fever of more than 38.5 degrees, or if the wound bleeds.
The clinic answers calls on weekdays from 8 to 18 o'clock.
`;

/** What `buildExampleFiles` makes files of. The storage is not asked within a transaction. */
export interface ExampleUploads {
  leaflet: VersionContent;
  toDelete: VersionContent;
}

export async function storeExampleUploads(
  context: CommandContext,
  storage: FileStorage,
): Promise<ExampleUploads> {
  const store = async (name: string, text: string) => {
    const source = Readable.from([Buffer.from(text)]);
    const spooled = await storage.objects.receive(source, { maxBytes: text.length });
    return storeUpload(context, storage, { spooled, name });
  };
  return {
    leaflet: await store('after-your-visit.md', leaflet),
    toDelete: await store('prices-of-last-year.csv', 'visit,price\ncheck-up,80\n'),
  };
}

export async function dropExampleUploads(
  context: CommandContext,
  { leaflet, toDelete }: ExampleUploads,
): Promise<void> {
  for (const upload of [leaflet, toDelete]) await dropUpload(context, upload);
}

/** Creates the folders, files, links and labels of files that the examples name. */
export async function buildExampleFiles(context: CommandContext, uploads: ExampleUploads): Promise<void> {
  const leaflets = await createFolder(context, { name: 'Leaflets', access: 'public' });
  expectId('folder', leaflets, demo.folderId);
  expectId('folder to delete', await createFolder(context, { name: 'Drafts' }), demo.folderToDelete);
  const label = await createLabel(context, fileLabels, { name: 'For patients' });
  expectId('file label', label, demo.fileLabelId);
  const toDelete = await createLabel(context, fileLabels, { name: 'Outdated' });
  expectId('file label to delete', toDelete, demo.fileLabelToDelete);

  const description = 'What patients do after an operation';
  const inLeaflets = { name: 'After your visit', description, folderId: leaflets.id };
  expectId('file', await createFile(context, inLeaflets, uploads.leaflet), demo.fileId);
  const outdated = { name: 'Prices of last year' };
  expectId('file to delete', await createFile(context, outdated, uploads.toDelete), demo.fileToDelete);
  await shareAs(context, demo.fileShareUuid, { fileId: demo.fileId });
  await shareAs(context, demo.folderShareUuid, { folderId: demo.folderId });
}

async function shareAs(context: CommandContext, uuid: string, shared: Shared): Promise<void> {
  const { share } = await createShare(context, shared, {});
  await context.db.inWorkspace(context.actor.workspaceId, (tx) =>
    tx('file_shares').where({ uuid: share.uuid }).update({ uuid }),
  );
}
