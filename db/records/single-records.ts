import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { DataRecordModel, type DataRecordRow } from './models/data-record.js';

/** Lists the records that these members have of these types, each with one record per member, without retired ones. */
export async function singleRecordsOf(
  tx: Tx,
  dataTypeIds: readonly number[],
  memberIds: readonly number[],
): Promise<Pick<DataRecordRow, 'dataTypeId' | 'memberId' | 'fieldValues'>[]> {
  if (dataTypeIds.length === 0 || memberIds.length === 0) return [];
  return DataRecordModel.pick(
    tx,
    ['dataTypeId', 'memberId', 'fieldValues'],
    'data_type_id = any(?) and member_id = any(?) and is_single and retired_at is null',
    [dataTypeIds, memberIds],
  );
}

/** Returns the bytes of these records' values for each of the members, in the order of the ids. */
export async function sizesOfSingleRecords(
  tx: Tx,
  dataTypeIds: readonly number[],
  memberIds: readonly number[],
): Promise<number[]> {
  const rows = await prepared<{ bytes: number }>(
    tx,
    `select coalesce(sum(r.value_bytes), 0) as bytes
     from unnest(?::bigint[]) with ordinality as wanted (member_id, place)
     left join data_records r on r.member_id = wanted.member_id and r.data_type_id = any(?)
       and r.is_single and r.retired_at is null
     group by wanted.place order by wanted.place`,
    [memberIds, dataTypeIds],
  );
  return rows.map(({ bytes }) => bytes);
}
