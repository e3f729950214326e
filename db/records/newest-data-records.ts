import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

export interface NewestRecords {
  memberId: number;
  dataTypeIds: readonly number[];
  /** Whether records that the member does not see are among them. */
  withHidden: boolean;
  /** Records of one type. */
  maxRecords: number;
  /** Values of all types together. */
  maxBytes: number;
}

/** A record's values. */
export interface NewestRecord {
  dataTypeId: number;
  /** Null for a record that is left out. Of what is left out, one record of each type is told at least. */
  fieldValues: Record<string, unknown> | null;
}

/**
 * A member's newest records of some types, oldest first, within bounds that the database keeps: what is left out is
 * not read. The types share the bytes evenly, and what one does not need is there for the others, so that many records
 * of one type displace none of another.
 */
export async function newestDataRecords(
  tx: Tx,
  { memberId, dataTypeIds, withHidden, maxRecords, maxBytes }: NewestRecords,
): Promise<NewestRecord[]> {
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
