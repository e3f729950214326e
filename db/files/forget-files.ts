import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { FileModel, type FileRow } from './models/file.js';
import { FileAttachmentModel } from './models/file-attachment.js';

/** A place in the walk through files, by the time of their last change. */
export interface OldFile {
  id: number;
  /** As PostgreSQL writes it: a `Date` would lose the microseconds, and the walk its place. */
  updatedAt: string;
}

export const beforeFiles: OldFile = { id: 0, updatedAt: '-infinity' };

/** The next private files that have not changed since `before`, the oldest first. */
export async function selectOldFiles(
  tx: Tx,
  { before, after, limit }: { before: Date; after: OldFile; limit: number },
): Promise<OldFile[]> {
  return prepared(
    tx,
    `select id, updated_at::text as "updatedAt" from files
     where access = 'private' and updated_at < ? and (updated_at, id) > (?::timestamptz, ?)
     order by updated_at, id limit ?`,
    [before, after.updatedAt, after.id, limit],
  );
}

/** Locks those of the files that are still as old, and belong to no record and no active assignment. */
export async function lockOldFiles(tx: Tx, ids: readonly number[], before: Date): Promise<FileRow[]> {
  const isFree = `not exists (select from file_attachments t
    where t.workspace_id = files.workspace_id and t.file_id = files.id and (t.record_id is not null
      or exists (select from assignments a
        where a.workspace_id = t.workspace_id and a.id = t.assignment_id and a.status = 'active')))`;
  const isOld = `id = any(?) and access = 'private' and updated_at < ? and ${isFree}
    order by id for update skip locked`;
  return filesThatAre(isFree, tx, await FileModel.pick(tx, ['id'], isOld, [ids, before]));
}

/**
 * The locked files for which a condition holds now. The statement that locks does not see what was attached after it
 * began, and before it had the lock.
 */
async function filesThatAre(
  condition: string,
  tx: Tx,
  locked: readonly { id: number }[],
): Promise<FileRow[]> {
  if (locked.length === 0) return [];
  return FileModel.where(tx, `id = any(?) and ${condition} order by id`, [locked.map(({ id }) => id)]);
}

/**
 * Ends attachments to a chat, as many as `limit`, and locks the files that came with its messages and belong to nothing
 * else. Before its messages are deleted, because these take their attachments with them.
 */
export async function detachFilesOfChat(
  tx: Tx,
  chatId: number,
  limit: number,
): Promise<{ detached: number; files: FileRow[] }> {
  const ofChat = 'id in (select id from file_attachments where chat_id = ? and record_id is null limit ?)';
  const detached = await FileAttachmentModel.deleteReturning(tx, ofChat, [chatId, limit]);
  if (detached.length === 0) return { detached: 0, files: [] };
  const isFree = `not exists (
    select from file_attachments t where t.workspace_id = files.workspace_id and t.file_id = files.id)`;
  const locked = await FileModel.pick(
    tx,
    ['id'],
    `id = any(?) and source <> 'upload' and access = 'private' and ${isFree} order by id for update`,
    [[...new Set(detached.map(({ fileId }) => fileId))]],
  );
  return { detached: detached.length, files: await filesThatAre(isFree, tx, locked) };
}
