import { queryInIndexOrder } from '../lib/index-order.js';
import { type Cut, cutOf, exportStepBytes, type Sized, withinBytes } from '../lib/within-bytes.js';
import { joined, raw, type Sql, sql } from '../sql.js';
import type { Tx } from '../tx.js';
import { all, type RecordSearch } from './list-data-records.js';
import { DataRecordModel, type DataRecordRow } from './models/data-record.js';
import { type RecordCriterion, rank, sourceOf } from './record-criteria.js';

/** Locks the records of a type that have one of these ids or external ids, in order of id. */
export async function lockDataRecordsByIds(
  tx: Tx,
  dataTypeId: number,
  ids: readonly number[],
  externalIds: readonly string[],
): Promise<DataRecordRow[]> {
  const condition = `id = any(array(
      select id from data_records where data_type_id = ? and id = any(?::bigint[])
      union all select id from data_records where data_type_id = ? and external_id = any(?::text[])))
    order by id for no key update`;
  return DataRecordModel.where(tx, condition, [dataTypeId, ids, dataTypeId, externalIds]);
}

/** The ids of the records that pass, in order; undefined where there are more than `most`. */
export async function idsOfMatches(
  tx: Tx,
  { criteria, ...scope }: RecordSearch,
  most: number,
): Promise<number[] | undefined> {
  const [driver = everything, ...others] = [...criteria].sort((one, other) => rank(one) - rank(other));
  const found = await queryInIndexOrder<{ id: number }>(
    tx,
    sql`select distinct found.record_id as id from (${sourceOf(scope, driver)}) found
      where ${all(others)} limit ${most + 1}`,
  );
  return found.length > most ? undefined : found.map(({ id }) => id).sort((one, other) => one - other);
}

/** Reads the records that pass, in order of id, after the id `after`, as far as they fit into a step of an export. */
export async function dataRecordsAfter(
  tx: Tx,
  { criteria, dataTypeId, states }: RecordSearch,
  after: number,
  limit: number,
): Promise<Cut<DataRecordRow>> {
  const state = joined(
    states.map((retired) => raw(retired ? 't.is_retired' : 'not t.is_retired')),
    ' or ',
  );
  const walk = sql`select t.id as record_id from data_records t
    where t.data_type_id = ${dataTypeId} and (${state}) and t.id > ${after} order by t.id`;
  const ids = sql`select found.record_id from (${walk}) found where ${all(criteria)} limit ${limit}`;
  return recordsInOrder(tx, sql`id = any(array(${ids}))`);
}

/** `dataRecordsAfter` for these ids: one may have been hidden since its id was read. */
export async function dataRecordsByIds(
  tx: Tx,
  { criteria, states }: RecordSearch,
  ids: readonly number[],
): Promise<Cut<DataRecordRow>> {
  const passing = sql`select found.record_id from unnest(${ids}::bigint[]) as found(record_id) where ${all(criteria)}`;
  return recordsInOrder(tx, sql`id = any(array(${passing})) and is_retired = any(${states}::boolean[])`);
}

async function recordsInOrder(tx: Tx, condition: Sql): Promise<Cut<DataRecordRow>> {
  const page = sql`select ${raw(DataRecordModel.columns)}, value_bytes as "valueBytes"
    from data_records where ${condition} order by id`;
  return cutOf(await queryInIndexOrder<Sized<DataRecordRow>>(tx, withinBytes(page, exportStepBytes)));
}

const everything: RecordCriterion = { kind: 'all' };
