import { join } from 'node:path';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { addStoredFile } from '../../../test/support/files/add-stored-file.js';
import type { Stage } from '../stage/stage.js';

/** Where the api of a stage keeps files, if it is started with it as STORAGE_FOLDER. */
export const storageFolderOf = ({ folder }: Pick<Stage, 'folder'>): string => join(folder, 'storage');

/** Adds a file of the workspace's admin. */
export function addFile(stage: Stage, file: { filename: string; content: Uint8Array }) {
  return addStoredFile(stage.workspace, new DiskStorage(storageFolderOf(stage)), file);
}
