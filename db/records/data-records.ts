import { type Cut, cutOf, rowBytes, type Sized, withinBytes } from '../lib/within-bytes.js';
import { prepared, statement } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { DataRecordModel, type DataRecordRow } from './models/data-record.js';

export type { DataRecordRow } from './models/data-record.js';

/** A record with its member's name. */
export interface DataRecordDetails extends DataRecordRow {
  memberName: string | null;
}

export async function findDataRecord(
  tx: EnteredTx,
  dataTypeId: number,
  id: number,
): Promise<DataRecordDetails | undefined> {
  return selectDetails(tx, 'data_records.id = ? and data_records.data_type_id = ?', [id, dataTypeId]);
}

/** What names a record of a type. */
export type RecordKey = { id: number } | { externalId: string };

/** Locks the record until the transaction ends. */
export async function lockDataRecord(
  tx: Tx,
  dataTypeId: number,
  key: RecordKey,
): Promise<DataRecordDetails | undefined> {
  const [column, value] = 'id' in key ? ['id', key.id] : ['external_id', key.externalId];
  const condition = `data_records.data_type_id = ? and data_records.${column} = ? for no key update of data_records`;
  return selectDetails(tx, condition, [dataTypeId, value]);
}

/** Collected in the present visit of a task. */
const ofVisit = `assignment_task_id = ? and id > coalesce((
  select t.event_mark from assignment_tasks t
  where t.workspace_id = data_records.workspace_id and t.id = data_records.assignment_task_id), 0)`;

/** Locks the newest record that was collected in this visit of a task, without retired ones. */
export async function lockRecordOfTask(
  tx: Tx,
  dataTypeId: number,
  memberId: number,
  assignmentTaskId: number,
): Promise<DataRecordRow | undefined> {
  const condition = `data_type_id = ? and member_id = ? and ${ofVisit} and retired_at is null
    order by id desc limit 1 for no key update`;
  const [row] = await DataRecordModel.where(tx, condition, [dataTypeId, memberId, assignmentTaskId]);
  return row;
}

/** Finds the record that a task collects: the member's only one or, in a collection, the newest of its present visit. */
export async function findGatheredRecord(
  tx: Tx,
  dataTypeId: number,
  memberId: number,
  collectionTaskId?: number,
): Promise<DataRecordRow | undefined> {
  const ofMember = 'data_type_id = ? and member_id = ? and not is_retired';
  if (collectionTaskId === undefined) return DataRecordModel.first(tx, ofMember, [dataTypeId, memberId]);
  const ofTask = `${ofMember} and ${ofVisit} order by id desc`;
  return DataRecordModel.first(tx, ofTask, [dataTypeId, memberId, collectionTaskId]);
}

/** Lists the records that were written for these tasks: the newest that fit into a read, oldest first. */
export async function recordsOfAssignmentTasks(
  tx: Tx,
  assignmentTaskIds: readonly number[],
): Promise<Cut<DataRecordDetails>> {
  if (assignmentTaskIds.length === 0) return cutOf<DataRecordDetails>([]);
  const { text, bindings } = withinBytes({
    text: `select ${DataRecordModel.columns}, data_records.value_bytes as "valueBytes",
        members.name as "memberName"
      from data_records
      join members on members.workspace_id = data_records.workspace_id and members.id = data_records.member_id
      where data_records.assignment_task_id = any(?::bigint[]) order by data_records.id desc`,
    bindings: [assignmentTaskIds],
  });
  const cut = cutOf(await prepared<Sized<DataRecordDetails>>(tx, text, bindings));
  return { ...cut, items: cut.items.reverse() };
}

/** Returns the bytes that the tasks and records of each assignment take in an answer, in the order of the ids. */
export async function sizesOfAssignments(tx: Tx, assignmentIds: readonly number[]): Promise<number[]> {
  const rows = await prepared<{ bytes: number }>(
    tx,
    `select tasks.bytes + coalesce(records.bytes, 0) as bytes
     from unnest(?::bigint[]) with ordinality as wanted (id, place)
     cross join lateral (
       select count(*) * ${taskBytes} as bytes from assignment_tasks t where t.assignment_id = wanted.id
     ) tasks
     cross join lateral (
       select sum(r.value_bytes + ${rowBytes}) as bytes from data_records r
       join assignment_tasks t on t.workspace_id = r.workspace_id and t.id = r.assignment_task_id
       where t.assignment_id = wanted.id
     ) records
     order by wanted.place`,
    [assignmentIds],
  );
  return rows.map(({ bytes }) => bytes);
}

/** A task is part of the tree, and may be part of the current task's tree as well. */
const taskBytes = 2 * rowBytes;

/** Deletes the record, and with it its history. */
export async function removeDataRecord(tx: Tx, id: number): Promise<void> {
  await DataRecordModel.deleteWhere(tx, 'id = ?', [id]);
}

export async function countDataRecords(tx: Tx, dataTypeId: number): Promise<number> {
  return DataRecordModel.count(tx, 'data_type_id = ?', [dataTypeId]);
}

/** Yields all records of a type by id, in batches that fit into memory. */
export async function* eachDataRecordBatch(
  tx: Tx,
  dataTypeId: number,
  batchSize = 1_000,
): AsyncGenerator<DataRecordRow[]> {
  let after = 0;
  for (;;) {
    const { text, bindings } = withinBytes({
      text: `select ${DataRecordModel.columns}, value_bytes as "valueBytes"
        from data_records where data_type_id = ? and id > ? order by id limit ?`,
      bindings: [dataTypeId, after, batchSize],
    });
    const { items } = cutOf(await statement<Sized<DataRecordRow>>(tx, text, bindings));
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    after = last.id;
  }
}

/** Counts a member's records by type and access mode, without retired ones. */
export async function countRecordsOfMember(
  tx: Tx,
  memberId: number,
): Promise<{ dataTypeId: number; accessMode: number; count: number }[]> {
  return prepared(
    tx,
    `select data_type_id as "dataTypeId", access_mode as "accessMode", count(*) as count
     from data_records where member_id = ? and retired_at is null group by data_type_id, access_mode`,
    [memberId],
  );
}

export async function memberOfTask(tx: Tx, assignmentTaskId: number): Promise<number | undefined> {
  const [found] = await prepared<{ memberId: number }>(
    tx,
    `select a.member_id as "memberId" from assignment_tasks t
     join assignments a on a.workspace_id = t.workspace_id and a.id = t.assignment_id where t.id = ?`,
    [assignmentTaskId],
  );
  return found?.memberId;
}

/** `condition` is everything after `where`. */
async function selectDetails(
  tx: EnteredTx,
  condition: string,
  bindings: readonly unknown[],
): Promise<DataRecordDetails | undefined> {
  const [row] = await prepared<DataRecordDetails>(
    tx,
    `select ${DataRecordModel.columns}, members.name as "memberName" from data_records
     join members on members.workspace_id = data_records.workspace_id and members.id = data_records.member_id
     where ${condition}`,
    bindings,
  );
  return row;
}
