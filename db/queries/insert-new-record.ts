import type { Tx } from '../database.js';
import { markOutbox } from '../outbox.js';
import { prepared } from '../statement.js';
import { pokingOf } from './collecting-runs.js';
import type { RecordValue } from './data-record-values.js';
import type { DataRecordRow } from './data-records.js';

/**
 * Stores a new record with its searchable values and the first entry of its history, and pokes the runs that collect it, in
 * one statement. Where it has unique values or an external id, `insertDataRecords` and what goes with it find out who has
 * them.
 */
export async function insertNewRecord(
  tx: Tx,
  record: DataRecordRow,
  values: readonly RecordValue[],
  actorMemberId: number | null,
): Promise<void> {
  const fieldValues = JSON.stringify(record.fieldValues);
  const poked = await prepared(tx, insertion, [
    record.id,
    tx.workspaceId,
    record.uuid,
    record.dataTypeId,
    record.memberId,
    fieldValues,
    record.accessMode,
    record.assignmentTaskId,
    record.createdAt,
    record.createdAt,
    tx.workspaceId,
    record.id,
    fieldValues,
    actorMemberId,
    record.createdAt,
    tx.workspaceId,
    record.dataTypeId,
    record.id,
    values.map(({ field }) => field),
    values.map(({ text }) => text),
    values.map(({ number }) => number),
    record.memberId,
  ]);
  if (poked.length > 0) markOutbox(tx);
}

const insertion = `with record as (
    insert into data_records (id, workspace_id, uuid, data_type_id, member_id, is_single, field_values, access_mode,
      assignment_task_id, created_at, updated_at)
    overriding system value values (?, ?, ?, ?, ?, false, ?, ?, ?, ?, ?)
  ), change as (
    insert into data_record_changes (workspace_id, record_id, operation, after, actor_member_id, created_at)
    values (?, ?, 'created', ?, ?, ?)
  ), searchable as (
    insert into data_record_values
      (workspace_id, data_type_id, record_id, retired, field, text_value, number_value, is_unique)
    select ?::bigint, ?::bigint, ?::bigint, false, field, text_value, number_value, false
    from unnest(?::text[], ?::text[], ?::float8[]) as given(field, text_value, number_value)
  )
  ${pokingOf('a.member_id = ?')}`;
