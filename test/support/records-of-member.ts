import type { Tx } from '../../db/database.js';
import { DataRecordModel, type DataRecordRow } from '../../db/models/data-record.js';
import { selectRows } from '../../db/models/rows.js';

/** A member's records of every type that are not retired, oldest first. */
export async function recordsOfMember(tx: Tx, memberId: number): Promise<DataRecordRow[]> {
  return selectRows(DataRecordModel, tx, 'member_id = ? and retired_at is null order by id', [memberId]);
}
