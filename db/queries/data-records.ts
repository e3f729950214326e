import type { QueryBuilder } from 'objection';
import type { PageOf, PageRequest } from '../../domain/paging.js';
import type { Tx } from '../database.js';
import { DataRecordModel, type DataRecordRow } from '../models/data-record.js';
import { selectRows } from '../models/rows.js';
import { toRow, toRowOrUndefined } from '../models/tenant-model.js';
import { readPage } from './read-page.js';

export type { DataRecordRow } from '../models/data-record.js';

/** A record with its member's name. */
export interface DataRecordDetails extends DataRecordRow {
  memberName: string | null;
}

export interface NewDataRecord {
  dataTypeId: number;
  memberId: number;
  isSingle: boolean;
  externalId: string | null;
  fieldValues: Record<string, unknown>;
  assignmentTaskId: number | null;
}

export type DataRecordUpdate = Partial<
  Pick<DataRecordRow, 'fieldValues' | 'externalId' | 'assignmentTaskId'>
>;

export interface DataRecordFilter {
  dataTypeId: number;
  memberId?: number;
  externalId?: string;
}

export type DataRecordSortField = 'id' | 'createdAt' | 'updatedAt';

const sortColumns: Record<DataRecordSortField, string> = {
  id: 'data_records.id',
  createdAt: 'data_records.created_at',
  updatedAt: 'data_records.updated_at',
};

/** Undefined when the id is another type's. */
export async function findDataRecord(
  tx: Tx,
  dataTypeId: number,
  id: number,
): Promise<DataRecordDetails | undefined> {
  return toRowOrUndefined(
    await details(tx).where({ 'data_records.id': id, 'data_records.data_type_id': dataTypeId }).first(),
  );
}

/** Like `findDataRecord`, and nobody else changes it until the transaction ends. */
export async function lockDataRecord(
  tx: Tx,
  dataTypeId: number,
  id: number,
): Promise<DataRecordRow | undefined> {
  return toRowOrUndefined(
    await DataRecordModel.query(tx).findOne({ id, data_type_id: dataTypeId }).forNoKeyUpdate(),
  );
}

export async function lockDataRecordByExternalId(
  tx: Tx,
  dataTypeId: number,
  externalId: string,
): Promise<DataRecordRow | undefined> {
  return toRowOrUndefined(
    await DataRecordModel.query(tx)
      .findOne({ data_type_id: dataTypeId, external_id: externalId })
      .forNoKeyUpdate(),
  );
}

/** The member's one record of a type that holds one a member. */
export async function lockSingleRecord(
  tx: Tx,
  dataTypeId: number,
  memberId: number,
): Promise<DataRecordRow | undefined> {
  return toRowOrUndefined(
    await DataRecordModel.query(tx)
      .findOne({ data_type_id: dataTypeId, member_id: memberId, is_single: true })
      .whereNull('retired_at')
      .forNoKeyUpdate(),
  );
}

/** The newest record that was gathered for this task. */
export async function lockRecordOfTask(
  tx: Tx,
  dataTypeId: number,
  memberId: number,
  assignmentTaskId: number,
): Promise<DataRecordRow | undefined> {
  return toRowOrUndefined(
    await DataRecordModel.query(tx)
      .where({ data_type_id: dataTypeId, member_id: memberId, assignment_task_id: assignmentTaskId })
      .whereNull('retired_at')
      .orderBy('id', 'desc')
      .forNoKeyUpdate()
      .first(),
  );
}

export async function listDataRecords(
  tx: Tx,
  filter: DataRecordFilter,
  page: PageRequest<DataRecordSortField>,
): Promise<PageOf<DataRecordDetails>> {
  const query = details(tx)
    .where('data_records.data_type_id', filter.dataTypeId)
    .whereNull('data_records.retired_at');
  if (filter.memberId !== undefined) query.where('data_records.member_id', filter.memberId);
  if (filter.externalId !== undefined) query.where('data_records.external_id', filter.externalId);
  const { items, total } = await readPage(query, page, sortColumns[page.sortBy], sortColumns.id);
  return { items: items.map(toRow), total };
}

/** A member's records of every type, oldest first: what conditions and templates look at. */
export async function recordsOfMember(tx: Tx, memberId: number): Promise<DataRecordRow[]> {
  return selectRows(DataRecordModel, tx, 'member_id = ? and retired_at is null order by id', [memberId]);
}

/** Records written for tasks of an assignment, with their members' names. */
export async function recordsOfAssignmentTasks(
  tx: Tx,
  assignmentTaskIds: readonly number[],
): Promise<DataRecordDetails[]> {
  const rows = await details(tx)
    .whereIn('data_records.assignment_task_id', [...assignmentTaskIds])
    .orderBy('data_records.id');
  return rows.map(toRow);
}

/** Undefined, and nothing written, when the external id or the member's one place is taken. */
export async function insertDataRecord(
  tx: Tx,
  values: NewDataRecord,
  now: Date,
): Promise<DataRecordRow | undefined> {
  const timestamps = { createdAt: now, updatedAt: now };
  const inserted: DataRecordModel | undefined = await DataRecordModel.query(tx)
    .insert({ ...values, ...timestamps, workspaceId: tx.workspaceId })
    .onConflict()
    .ignore()
    .returning('*');
  return inserted?.id === undefined ? undefined : toRow(inserted);
}

export async function updateDataRecord(
  tx: Tx,
  id: number,
  changes: DataRecordUpdate,
  now: Date,
): Promise<DataRecordRow | undefined> {
  const [row] = await DataRecordModel.query(tx)
    .patch({ ...changes, updatedAt: now })
    .where({ id })
    .returning('*');
  return toRowOrUndefined(row);
}

/** Removes the record; its changes go with it. */
export async function deleteDataRecord(tx: Tx, id: number): Promise<void> {
  await DataRecordModel.query(tx).deleteById(id);
}

export async function countDataRecords(tx: Tx, dataTypeId: number): Promise<number> {
  return await DataRecordModel.query(tx).where({ data_type_id: dataTypeId }).resultSize();
}

/** All records of a type in batches, by id. */
export async function* eachDataRecordBatch(
  tx: Tx,
  dataTypeId: number,
  batchSize = 1_000,
): AsyncGenerator<DataRecordRow[]> {
  let after = 0;
  for (;;) {
    const batch = await DataRecordModel.query(tx)
      .where({ data_type_id: dataTypeId })
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch.map(toRow);
    after = last.id;
  }
}

/** The assignment that a task belongs to. */
export async function assignmentOfTask(
  tx: Tx,
  assignmentTaskId: number,
): Promise<{ id: number; memberId: number } | undefined> {
  return await tx('assignment_tasks')
    .join('assignments', 'assignments.id', 'assignment_tasks.assignment_id')
    .where('assignment_tasks.id', assignmentTaskId)
    .first({ id: 'assignments.id', memberId: 'assignments.member_id' });
}

type DetailsModel = DataRecordModel & { memberName: string | null };

function details(tx: Tx): QueryBuilder<DetailsModel> {
  return DataRecordModel.query(tx)
    .join('members', 'members.id', 'data_records.member_id')
    .select('data_records.*', 'members.name as member_name') as unknown as QueryBuilder<DetailsModel>;
}
