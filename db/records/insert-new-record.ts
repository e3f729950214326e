import { pokingOf } from '../assignments/collecting-runs.js';
import type { Tx } from '../database.js';
import { markOutbox } from '../outbox.js';
import { prepared } from '../statement.js';
import type { RecordValue } from './data-record-values.js';
import type { DataRecordRow } from './data-records.js';

/** The values of a new record that the database determines. */
export interface Inserted {
  id: number;
  memberName: string | null;
}

/**
 * Inserts a new record with its searchable values and the first entry of its history, and pokes the runs that collect
 * it, in one statement. It does not report taken values: a record with unique values or an external id needs
 * `insertDataRecords` and the functions that go with it.
 *
 * @param record its id is ignored, because the database assigns one
 * @param typeVersion the version of the type that the record was validated against
 * @returns undefined, and stores nothing, where the type has changed since or the member is no person of the workspace
 */
export async function insertUnlessChanged(
  tx: Tx,
  record: DataRecordRow,
  values: readonly RecordValue[],
  { actorMemberId, typeVersion }: { actorMemberId: number | null; typeVersion: string },
): Promise<Inserted | undefined> {
  const [inserted] = await prepared<Inserted & { hasPoked: boolean }>(tx, insertion, [
    record.memberId,
    record.dataTypeId,
    typeVersion,
    record.uuid,
    JSON.stringify(record.fieldValues),
    record.accessMode,
    record.createdAt,
    record.createdAt,
    actorMemberId,
    values.map(({ field }) => field),
    values.map(({ text }) => text),
    values.map(({ number }) => number),
    record.memberId,
  ]);
  if (inserted === undefined) return undefined;
  if (inserted.hasPoked) markOutbox(tx);
  return { id: inserted.id, memberName: inserted.memberName };
}

const insertion = `with pinned as materialized (
    select t.workspace_id, t.id as data_type_id, m.id as member_id, m.name
    from data_types t join members m on m.id = ? and m.kind = 'human' and m.deleted_at is null
    where t.id = ? and t.xmin::text = ?
    for key share of t
  ), record as (
    insert into data_records
      (workspace_id, uuid, data_type_id, member_id, is_single, field_values, access_mode, created_at, updated_at)
    select workspace_id, ?::uuid, data_type_id, member_id, false, ?::jsonb, ?::integer, ?::timestamptz, ?::timestamptz
    from pinned
    returning id, workspace_id, data_type_id, member_id, field_values, created_at
  ), change as (
    insert into data_record_changes (workspace_id, record_id, operation, after, actor_member_id, created_at)
    select workspace_id, id, 'created', field_values, ?::bigint, created_at from record
  ), searchable as (
    insert into data_record_values
      (workspace_id, data_type_id, record_id, retired, field, text_value, number_value, is_unique)
    select workspace_id, data_type_id, id, false, given.field, text_value, number_value, false
    from record, unnest(?::text[], ?::text[], ?::float8[]) as given(field, text_value, number_value)
  ), poked as (
    ${pokingOf('a.member_id = ? and exists (select from pinned)')}
  )
  select record.id, pinned.name as "memberName", exists (select from poked) as "hasPoked" from record, pinned`;
