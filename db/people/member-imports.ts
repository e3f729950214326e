import { StoredObjectModel } from '../files/models/stored-object.js';
import { changedBy, prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { type MemberImportFailure, MemberImportModel, type MemberImportRow } from './models/member-import.js';

export type { MemberImportFailure, MemberImportRow, MemberImportState } from './models/member-import.js';

export async function insertMemberImport(
  tx: Tx,
  values: Pick<
    MemberImportRow,
    | 'uuid'
    | 'memberId'
    | 'credentialKind'
    | 'credentialId'
    | 'scopes'
    | 'objectId'
    | 'layout'
    | 'columnsPassedOver'
    | 'dataTypeIds'
    | 'newMemberRoleId'
    | 'blankCells'
    | 'total'
    | 'createdAt'
    | 'updatedAt'
  >,
): Promise<MemberImportRow> {
  return MemberImportModel.insert(tx, values);
}

export async function findMemberImport(tx: Tx, id: number): Promise<MemberImportRow | undefined> {
  return MemberImportModel.find(tx, id);
}

/** The import of a request that a member has made. */
export async function findRequestedImport(
  tx: Tx,
  { memberId, uuid }: { memberId: number; uuid: string },
): Promise<MemberImportRow | undefined> {
  return MemberImportModel.first(tx, 'uuid = ? and member_id = ?', [uuid, memberId]);
}

/** The key of the object that holds the file of an import. Undefined: it is doomed, or gone. */
export async function findImportedObject(
  tx: Tx,
  objectId: number,
): Promise<{ uuid: string; bytes: number } | undefined> {
  const [row] = await StoredObjectModel.pick(tx, ['uuid', 'bytes'], `id = ? and state = 'stored'`, [
    objectId,
  ]);
  return row;
}

/** Imports that have not ended, of the workspace and of a member. */
export async function countOpenImports(
  tx: Tx,
  memberId: number,
): Promise<{ ofWorkspace: number; ofMember: number }> {
  const [ofWorkspace, ofMember] = await Promise.all([
    MemberImportModel.count(tx, 'finished_at is null'),
    MemberImportModel.count(tx, 'finished_at is null and member_id = ?', [memberId]),
  ]);
  return { ofWorkspace, ofMember };
}

export async function selectOpenImports(tx: Tx, after: number, limit: number): Promise<MemberImportRow[]> {
  return MemberImportModel.where(tx, 'finished_at is null and id > ? order by id limit ?', [after, limit]);
}

/** Counts an attempt at the next rows of an import, or takes one back. An import that has ended stays as it is. */
export async function addImportAttempts(tx: Tx, id: number, by: 1 | -1): Promise<void> {
  await prepared(
    tx,
    `update member_imports set attempts = greatest(0, attempts + ?) where id = ? and finished_at is null`,
    [by, id],
  );
}

/** What became of the next rows of an import. */
export interface SettledRows {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  failedRows: readonly number[];
  errors: readonly string[];
  createdMembers: readonly number[];
  updatedMembers: readonly number[];
}

/**
 * Adds to an import what became of its next rows.
 * @param expected how many rows were settled before. @returns false: another attempt has settled rows since, or the import
 * has ended
 */
export async function addSettledRows(
  tx: Tx,
  { id, rowsDone: expected }: Pick<MemberImportRow, 'id' | 'rowsDone'>,
  settled: SettledRows,
  now: Date,
): Promise<boolean> {
  const { rows, created, updated, unchanged, failedRows, errors, createdMembers, updatedMembers } = settled;
  // A list to which nothing is added is not written again.
  const lists = [failedRows, errors, createdMembers, updatedMembers].flatMap((list) => {
    const text = JSON.stringify(list);
    return [text, text];
  });
  const changed = await changedBy(
    tx,
    `update member_imports set rows_done = rows_done + ?, created = created + ?, updated = updated + ?,
       unchanged = unchanged + ?, attempts = 0, updated_at = ?,
       failed_rows = case when ?::jsonb = '[]' then failed_rows else failed_rows || ?::jsonb end,
       errors = case when ?::jsonb = '[]' then errors else errors || ?::jsonb end,
       created_members = case when ?::jsonb = '[]' then created_members else created_members || ?::jsonb end,
       updated_members = case when ?::jsonb = '[]' then updated_members else updated_members || ?::jsonb end
     where id = ? and rows_done = ? and finished_at is null`,
    [rows, created, updated, unchanged, now, ...lists, id, expected],
  );
  return changed > 0;
}

/** Ends an import, and gives up its file. @returns false: it had ended before */
export async function endMemberImport(
  tx: Tx,
  id: number,
  ended: { state: 'completed' | 'cancelled' } | { state: 'failed'; failureReason: MemberImportFailure },
  now: Date,
): Promise<boolean> {
  const changes = { failureReason: null, ...ended, finishedAt: now, updatedAt: now, objectId: null };
  return (await MemberImportModel.updateWhere(tx, changes, 'id = ? and finished_at is null', [id])) > 0;
}

/** @returns their number */
export async function removeImportsEndedBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const oldest = `id in (select id from member_imports where finished_at is not null and finished_at < ?
    order by finished_at limit ?)`;
  return MemberImportModel.deleteWhere(tx, oldest, [before, limit]);
}
