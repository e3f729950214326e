import { createFile, type NewFile } from '../../../domain/files/files/create-file.js';
import type { FileView } from '../../../domain/files/files/file-view.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import { storeUpload } from '../../../domain/files/versions/store-upload.js';
import type { TestMember, TestWorkspace } from '../workspace/factories.js';
import type { MemoryStore } from './memory-store.js';

export interface AddFile extends NewFile {
  owner?: TestMember;
  filename?: string;
  content?: string | Uint8Array;
  bytesPerWorkspace?: number;
}

export function storageOf(store: MemoryStore, bytesPerWorkspace = 1_073_741_824): FileStorage {
  return { objects: store, bytesPerWorkspace };
}

/** Uploads a file as a member does: the admin unless told. */
export async function addFile(
  workspace: TestWorkspace,
  store: MemoryStore,
  {
    owner,
    filename = 'leaflet.txt',
    content = 'Drink enough water.',
    bytesPerWorkspace,
    ...values
  }: AddFile = {},
): Promise<FileView> {
  const context = workspace.context(owner);
  const upload = { spooled: await store.spool(content), name: filename };
  const stored = await storeUpload(context, storageOf(store, bytesPerWorkspace), upload);
  return createFile(context, values, stored);
}
