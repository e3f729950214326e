import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { DataRecordChangeModel, type DataRecordChangeRow } from './models/data-record-change.js';

export type { DataRecordChangeRow } from './models/data-record-change.js';

export type NewDataRecordChange = Pick<
  DataRecordChangeRow,
  'recordId' | 'operation' | 'before' | 'after' | 'actorMemberId'
>;

/** Inserts entries of the records' history, in order, in the transaction of the changes. */
export async function insertDataRecordChanges(
  tx: Tx,
  changes: readonly NewDataRecordChange[],
  now: Date,
): Promise<void> {
  const [only] = changes;
  if (only === undefined) return;
  if (changes.length === 1) return insertDataRecordChange(tx, only, now);
  await prepared(
    tx,
    `${insert}
     select ?, ?, c.record_id, c.operation, c.before::jsonb, c.after::jsonb, c.actor_member_id
     from unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[])
       with ordinality as c (record_id, operation, before, after, actor_member_id, place)
     order by c.place`,
    [
      tx.workspaceId,
      now,
      changes.map(({ recordId }) => recordId),
      changes.map(({ operation }) => operation),
      changes.map(({ before }) => text(before)),
      changes.map(({ after }) => text(after)),
      changes.map(({ actorMemberId }) => actorMemberId),
    ],
  );
}

const insert = `insert into data_record_changes
  (workspace_id, created_at, record_id, operation, before, after, actor_member_id)`;

/** A single row needs no `unnest`, which PostgreSQL plans again for each execution. */
async function insertDataRecordChange(tx: Tx, change: NewDataRecordChange, now: Date): Promise<void> {
  const { recordId, operation, before, after, actorMemberId } = change;
  const values = [tx.workspaceId, now, recordId, operation, text(before), text(after), actorMemberId];
  await prepared(tx, `${insert} values (?, ?, ?, ?, ?, ?, ?)`, values);
}

function text(values: Record<string, unknown> | null): string | null {
  return values === null ? null : JSON.stringify(values);
}

export async function selectDataRecordChanges(
  tx: Tx,
  recordId: number,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<DataRecordChangeRow>> {
  const order = `order by id ${page.sortOrder}`;
  const { text, bindings } = withinBytes({
    text: `select ${DataRecordChangeModel.columns}, value_bytes as "valueBytes"
      from data_record_changes where record_id = ? ${order} limit ? offset ?`,
    bindings: [recordId, page.pageSize, offsetOf(page)],
  });
  const [rows, total] = await Promise.all([
    prepared<Sized<DataRecordChangeRow>>(tx, text, bindings),
    DataRecordChangeModel.count(tx, 'record_id = ?', [recordId]),
  ]);
  const { items, isCut } = cutOf(rows);
  return { items, isCut, total };
}

/** Counts the changes of a member's records since a time, with these operations. */
export async function countRecentChanges(
  tx: Tx,
  memberId: number,
  operations: readonly DataRecordChangeRow['operation'][],
  since: Date,
): Promise<number> {
  const [counted] = await prepared<{ changes: number }>(
    tx,
    `select count(*) as changes from data_records r
     join data_record_changes c on c.workspace_id = r.workspace_id and c.record_id = r.id
     where r.member_id = ? and r.updated_at >= ? and c.created_at >= ? and c.operation = any(?)`,
    [memberId, since, since, operations],
  );
  return counted?.changes ?? 0;
}
