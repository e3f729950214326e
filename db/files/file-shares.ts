import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { FileShareModel, type FileShareRow } from './models/file-share.js';

export type { FileShareRow } from './models/file-share.js';

/** What a link is to. */
export type Shared = { fileId: number } | { folderId: number };

const inForce = 'revoked_at is null and (expires_at is null or expires_at > ?)';

function columnAndId(shared: Shared): [column: 'file_id' | 'folder_id', id: number] {
  return 'fileId' in shared ? ['file_id', shared.fileId] : ['folder_id', shared.folderId];
}

/** Returns how many links to each of these files, or folders, are in force, by id; those without any are left out. */
export async function countSharesInForce(
  tx: EnteredTx,
  column: 'file_id' | 'folder_id',
  ids: readonly number[],
  now: Date,
): Promise<Map<number, number>> {
  const rows = await prepared<{ id: number; count: number }>(
    tx,
    `select ${column} as id, count(*) as count from file_shares
     where ${column} = any(?) and ${inForce} group by ${column}`,
    [ids, now],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Counts all links, with those that were revoked or have expired. */
export async function countAllShares(tx: Tx, shared: Shared): Promise<number> {
  const [column, id] = columnAndId(shared);
  return FileShareModel.count(tx, `${column} = ?`, [id]);
}

export async function selectShares(
  tx: Tx,
  shared: Shared,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<FileShareRow>> {
  const [column, id] = columnAndId(shared);
  const query = FileShareModel.query(tx).where(column, id);
  const found = await readPage(query, page, 'created_at', 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function insertShare(
  tx: Tx,
  shared: Shared,
  share: Pick<FileShareRow, 'tokenHash' | 'expiresAt' | 'createdByMemberId'>,
  now: Date,
): Promise<FileShareRow> {
  return FileShareModel.insert(tx, { ...shared, ...share, createdAt: now });
}

/** Revokes a link, unless it was revoked before. Undefined: there is no such link to that file or folder. */
export async function patchShareRevoked(
  tx: Tx,
  shared: Shared,
  uuid: string,
  now: Date,
): Promise<FileShareRow | undefined> {
  const [column, id] = columnAndId(shared);
  const [row] = await prepared<FileShareRow>(
    tx,
    `update file_shares set revoked_at = coalesce(revoked_at, ?) where ${column} = ? and uuid = ?
     returning ${FileShareModel.columns}`,
    [now, id, uuid],
  );
  return row;
}

/** Returns the link of a token that is in force. */
export async function findShareInForce(
  tx: EnteredTx,
  tokenHash: Buffer,
  now: Date,
): Promise<FileShareRow | undefined> {
  return FileShareModel.first(tx, `token_hash = ? and ${inForce}`, [tokenHash, now]);
}

export async function countShareUse(tx: Tx, id: number, now: Date): Promise<void> {
  await prepared(
    tx,
    'update file_shares set uses = uses + 1, last_used_at = greatest(last_used_at, ?) where id = ?',
    [now, id],
  );
}
