import type { FileRow, VersionContent } from '../../../db/files/files.js';
import { createFile } from '../../files/files/create-file.js';
import type { FileStorage } from '../../files/objects/file-storage.js';
import { dropUpload, storeUpload, type Upload } from '../../files/versions/store-upload.js';
import { UnsupportedFile } from '../../lib/errors.js';
import type { VisitorContext } from './visitor-context.js';
import { countFile } from './visitor-limits.js';
import { memberOfVisitor } from './visitor-member.js';

/** Which files visitors may send. */
export const visitorFiles = {
  bytes: 5 * 1_048_576,
  ofMessage: 4,
  mimeTypes: ['image/png', 'image/jpeg', 'image/gif', 'application/pdf', 'text/plain', 'text/csv'],
} as const;

/**
 * Puts a visitor's upload into the storage, for a message that may be the first one. @param locale of the page
 * @throws Conflict `chat_not_offered`, UnsupportedFile, TooManyRequests, and the errors of `storeUpload`
 */
export async function storeVisitorFile(
  context: VisitorContext,
  storage: FileStorage,
  upload: Upload,
  locale: string | undefined,
): Promise<VersionContent> {
  const { site, address, visitor } = context;
  await countFile(context, { site, address, visitorId: visitor.id });
  const command = { ...context, actor: await memberOfVisitor(context, locale) };
  const content = await storeUpload(command, storage, upload);
  if ((visitorFiles.mimeTypes as readonly string[]).includes(content.mimeType)) return content;
  await dropUpload(command, content);
  const kinds = 'Files that visitors can send are PNG, JPG and GIF images, PDF, plain text and CSV.';
  throw new UnsupportedFile('unsupported_file_kind', kinds);
}

/** Makes a private file of the visitor's from what `storeVisitorFile` has stored. */
export async function createVisitorFile(context: VisitorContext, content: VersionContent): Promise<FileRow> {
  return createFile({ ...context, actor: await memberOfVisitor(context, undefined) }, {}, content);
}

export async function dropVisitorFile(context: VisitorContext, content: VersionContent): Promise<void> {
  await dropUpload({ ...context, actor: await memberOfVisitor(context, undefined) }, content);
}
