import { pinFiles } from '../../../db/files/file-attachments.js';
import type { FileRow } from '../../../db/files/files.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { readerOf } from '../../kernel/who-reads.js';
import { Forbidden, InvalidInput } from '../../lib/errors.js';

/**
 * Returns the files that the actor attaches, in the order of their ids as given, kept from deletion until the
 * transaction ends. To attach a file shows it to others, so it needs the scope of reading it.
 * @param pointer the field that names them @throws InvalidInput, Forbidden
 */
export async function lockAttachableFiles(
  tx: Tx,
  actor: Actor,
  fileIds: readonly number[],
  pointer = '/files',
): Promise<FileRow[]> {
  if (fileIds.length === 0) return [];
  if (!actor.hasScope('files:read')) {
    throw new Forbidden('files:read', 'To attach files, the credential needs the scope files:read.');
  }
  const readable = await pinFiles(tx, fileIds, readerOf(actor));
  // A visitor of a site sends what it has uploaded, and learns nothing of other files by their numbers.
  const isVisitor = actor.credential.kind === 'visitor_token';
  const attachable = readable.filter(({ ownerMemberId }) => !isVisitor || ownerMemberId === actor.memberId);
  const files = new Map(attachable.map((file) => [file.id, file]));
  return fileIds.map((id, index) => {
    const file = files.get(id);
    if (file === undefined) {
      throw InvalidInput.field(`${pointer}/${index}`, 'names no file that the caller may read');
    }
    return file;
  });
}
