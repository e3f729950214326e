import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

export interface NewestRecords {
  memberId: number;
  dataTypeIds: readonly number[];
  /** Whether to include records that are hidden from the member. */
  withHidden: boolean;
  /** Of one type. */
  maxRecords: number;
  /** Of the values of all types together. */
  maxBytes: number;
}

/**
 * A member's newest records of some types, oldest first, within limits. Where records of a type are left out, at least
 * one of them is returned, with null for its values. The types share the bytes evenly.
 */
export async function newestDataRecords(
  tx: Tx,
  { memberId, dataTypeIds, withHidden, maxRecords, maxBytes }: NewestRecords,
): Promise<{ dataTypeId: number; fieldValues: Record<string, unknown> | null }[]> {
  if (dataTypeIds.length === 0) return [];
  return prepared(
    tx,
    `select r.data_type_id as "dataTypeId",
       case when shared.place <= ? and shared.bytes <= ? then r.field_values end as "fieldValues"
     from (
       select newest.id, newest.place, sum(newest.value_bytes) over (order by newest.bytes_of_type, newest.id) as bytes
       from unnest(?::bigint[]) as wanted (data_type_id)
       cross join lateral (
         select id, value_bytes, row_number() over (order by id desc) as place,
           sum(value_bytes) over (order by id desc) as bytes_of_type
         from (
           select id, value_bytes from data_records
           where data_type_id = wanted.data_type_id and member_id = ? and not is_retired
             and (?::boolean or access_mode <> 2)
           order by id desc limit ?
         ) candidates
       ) newest
     ) shared
     join data_records r on r.id = shared.id
     order by shared.id`,
    [maxRecords, maxBytes, dataTypeIds, memberId, withHidden, maxRecords + 1],
  );
}
