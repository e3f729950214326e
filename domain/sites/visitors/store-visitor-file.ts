import type { FileRow, VersionContent } from '../../../db/files/files.js';
import { createFile } from '../../files/files/create-file.js';
import type { FileStorage } from '../../files/objects/file-storage.js';
import { dropUpload, storeUpload, type Upload } from '../../files/versions/store-upload.js';
import { UnsupportedFile } from '../../lib/errors.js';
import { requireChat, type VisitorContext } from './visitor-context.js';
import { countFile } from './visitor-limits.js';

/** Which files visitors may send. */
export const visitorFiles = {
  bytes: 5 * 1_048_576,
  ofMessage: 4,
  mimeTypes: ['image/png', 'image/jpeg', 'image/gif', 'application/pdf', 'text/plain', 'text/csv'],
} as const;

/**
 * Puts a visitor's upload into the storage, once its chat has begun: nobody uploads before the first message.
 * @throws Conflict `chat_not_begun`, UnsupportedFile, TooManyRequests, and the errors of `storeUpload`
 */
export async function storeVisitorFile(
  context: VisitorContext,
  storage: FileStorage,
  upload: Upload,
): Promise<VersionContent> {
  const { actor, site, address } = requireChat(context);
  await countFile(context, { site, address, visitorId: context.visitor.id });
  const command = { ...context, actor };
  const content = await storeUpload(command, storage, upload);
  if ((visitorFiles.mimeTypes as readonly string[]).includes(content.mimeType)) return content;
  await dropUpload(command, content);
  const kinds = 'Files that visitors can send are PNG, JPG and GIF images, PDF, plain text and CSV.';
  throw new UnsupportedFile('unsupported_file_kind', kinds);
}

/** Makes a private file of the visitor's from what `storeVisitorFile` has stored. */
export async function createVisitorFile(context: VisitorContext, content: VersionContent): Promise<FileRow> {
  return createFile({ ...context, ...requireChat(context) }, {}, content);
}

export async function dropVisitorFile(context: VisitorContext, content: VersionContent): Promise<void> {
  await dropUpload({ ...context, ...requireChat(context) }, content);
}
