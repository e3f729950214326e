import { Readable } from 'node:stream';
import { createFile, type NewFile } from '../../../domain/files/files/create-file.js';
import type { FileView } from '../../../domain/files/files/file-view.js';
import { storeUpload } from '../../../domain/files/versions/store-upload.js';
import type { Storage } from '../../../providers/storage/storage.js';
import type { TestMember, TestWorkspace } from '../workspace/factories.js';

export interface AddStoredFile extends NewFile {
  owner?: TestMember;
  filename?: string;
  content?: string | Uint8Array;
}

/** Uploads a file into a storage that an api serves it from; the owner is the admin unless told. */
export async function addStoredFile(
  workspace: TestWorkspace,
  storage: Storage,
  { owner, filename = 'leaflet.txt', content = 'Drink enough water.', ...values }: AddStoredFile = {},
): Promise<FileView> {
  const context = workspace.context(owner);
  const spooled = await storage.receive(Readable.from([Buffer.from(content)]), { maxBytes: 50 * 1_048_576 });
  const stored = await storeUpload(
    context,
    { objects: storage, bytesPerWorkspace: 1_073_741_824 },
    { spooled, name: filename },
  );
  return createFile(context, values, stored);
}
