import { DataRecordModel, type DataRecordRow } from '../../../db/records/models/data-record.js';
import type { Tx } from '../../../db/tx.js';

/** A member's records of every type that are not retired, oldest first. */
export async function recordsOfMember(tx: Tx, memberId: number): Promise<DataRecordRow[]> {
  return DataRecordModel.where(tx, 'member_id = ? and retired_at is null order by id', [memberId]);
}
