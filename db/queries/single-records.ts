import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** What a record of a type that holds one a member says. */
export interface SingleRecord {
  dataTypeId: number;
  memberId: number;
  fieldValues: Record<string, unknown>;
}

/** The records that these members have of these types, each of which holds one a member. Retired ones are left out. */
export async function singleRecordsOf(
  tx: Tx,
  dataTypeIds: readonly number[],
  memberIds: readonly number[],
): Promise<SingleRecord[]> {
  if (dataTypeIds.length === 0 || memberIds.length === 0) return [];
  return prepared(
    tx,
    `select data_type_id as "dataTypeId", member_id as "memberId", field_values as "fieldValues"
     from data_records
     where data_type_id = any(?) and member_id = any(?) and is_single and retired_at is null`,
    [dataTypeIds, memberIds],
  );
}
