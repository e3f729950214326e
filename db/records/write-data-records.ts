import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { DataRecordModel, type DataRecordRow } from './models/data-record.js';

/** Ids for new records, so that rows that refer to them are written together with them. */
export async function reserveRecordIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return [];
  const one = `select nextval('data_records_id_seq') as id`;
  // A single id has a text of its own: see lib/id-condition.ts.
  const [text, bindings] = count === 1 ? [one, []] : [`${one} from generate_series(1, ?::int)`, [count]];
  return (await prepared<{ id: number }>(tx, text, bindings)).map(({ id }) => id);
}

/** The keys by which records of a type are found. */
export interface RecordKeys {
  externalIds: readonly string[];
  /** Members whose single record is meant, in a type with one record per member. */
  singlesOf: readonly number[];
}

/** Locks the records that have one of these keys, in order of id. Retired ones are found by their external id only. */
export async function lockRecordsByKeys(
  tx: Tx,
  dataTypeId: number,
  { externalIds, singlesOf }: RecordKeys,
): Promise<DataRecordRow[]> {
  if (externalIds.length + singlesOf.length === 0) return [];
  const isOne = externalIds.length <= 1 && singlesOf.length <= 1;
  const [externalId, memberId] = isOne
    ? [externalIds[0] ?? null, singlesOf[0] ?? null]
    : [externalIds, singlesOf];
  const condition = isOne ? byOneKey : byManyKeys;
  return DataRecordModel.where(tx, condition, [dataTypeId, externalId, dataTypeId, memberId]);
}

// A single key has a text of its own: see lib/id-condition.ts.
const byOneKey = byKeys('= ?', '= ?');
const byManyKeys = byKeys('= any(?::text[])', '= any(?::bigint[])');

function byKeys(isExternalId: string, isMemberId: string): string {
  return `id = any(array(
      select id from data_records where data_type_id = ? and external_id ${isExternalId}
      union all
      select id from data_records
      where data_type_id = ? and member_id ${isMemberId} and is_single and retired_at is null))
    order by id for no key update`;
}

const insert = `insert into data_records (workspace_id, id, uuid, data_type_id, member_id, is_single, external_id,
    field_values, access_mode, assignment_task_id, created_at, updated_at) overriding system value`;
const inserted = [
  'id',
  'uuid',
  'dataTypeId',
  'memberId',
  'isSingle',
  'externalId',
  'fieldValues',
  'accessMode',
  'assignmentTaskId',
  'createdAt',
] as const;

/** Inserts new records in their order, without their history, searchable values and events. */
export async function insertDataRecords(tx: Tx, records: readonly DataRecordRow[]): Promise<void> {
  const [only] = records;
  if (only === undefined) return;
  if (records.length === 1) {
    // A single row needs no `unnest`, which PostgreSQL plans again for each execution.
    const values = valuesByField(records, inserted).flat();
    const text = `${insert} values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    await prepared(tx, text, [tx.workspaceId, ...values, only.createdAt]);
    return;
  }
  await prepared(
    tx,
    `${insert}
     select ?, r.id, r.uuid, r.data_type_id, r.member_id, r.is_single, r.external_id,
       r.field_values::jsonb, r.access_mode, r.assignment_task_id, r.created_at, r.created_at
     from unnest(?::bigint[], ?::uuid[], ?::bigint[], ?::bigint[], ?::boolean[], ?::text[], ?::text[], ?::int[],
         ?::bigint[], ?::timestamptz[])
       with ordinality as r (id, uuid, data_type_id, member_id, is_single, external_id, field_values, access_mode,
         assignment_task_id, created_at, place)
     order by r.place`,
    [tx.workspaceId, ...valuesByField(records, inserted)],
  );
}

const updated = [
  'id',
  'externalId',
  'fieldValues',
  'accessMode',
  'assignmentTaskId',
  'updatedAt',
  'memberId',
  'retiredAt',
  'retiredByMemberId',
  'retiredReason',
] as const;

/** Updates records that the transaction has locked. */
export async function patchDataRecords(tx: Tx, records: readonly DataRecordRow[]): Promise<void> {
  if (records.length === 0) return;
  await prepared(
    tx,
    `update data_records as d set external_id = r.external_id, field_values = r.field_values::jsonb,
       access_mode = r.access_mode, assignment_task_id = r.assignment_task_id, updated_at = r.updated_at,
       member_id = r.member_id, retired_at = r.retired_at, retired_by_member_id = r.retired_by_member_id,
       retired_reason = r.retired_reason
     from unnest(?::bigint[], ?::text[], ?::text[], ?::int[], ?::bigint[], ?::timestamptz[], ?::bigint[],
         ?::timestamptz[], ?::bigint[], ?::text[])
       as r (id, external_id, field_values, access_mode, assignment_task_id, updated_at, member_id, retired_at,
         retired_by_member_id, retired_reason)
     where d.id = r.id`,
    valuesByField(records, updated),
  );
}

/** The values of these fields, an array for each. */
function valuesByField(
  records: readonly DataRecordRow[],
  fields: readonly (keyof DataRecordRow)[],
): unknown[][] {
  const rows = records.map((record) => ({ ...record, fieldValues: JSON.stringify(record.fieldValues) }));
  return fields.map((field) => rows.map((row) => row[field]));
}

/** Clears the external ids of records that the transaction has locked, so that other records can have them. */
export async function releaseExternalIds(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await DataRecordModel.updateWhere(tx, { externalId: null }, 'id = any(?::bigint[])', [ids]);
}

export async function patchRetirement(tx: Tx, record: DataRecordRow): Promise<void> {
  const { id, retiredAt, retiredByMemberId, retiredReason, updatedAt } = record;
  const changes = { retiredAt, retiredByMemberId, retiredReason, updatedAt };
  await DataRecordModel.updateWhere(tx, changes, 'id = ?', [id]);
}
