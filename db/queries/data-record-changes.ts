import type { Tx } from '../database.js';
import { DataRecordChangeModel, type DataRecordChangeRow } from '../models/data-record-change.js';

export type { DataRecordChangeRow } from '../models/data-record-change.js';

export type NewDataRecordChange = Pick<
  DataRecordChangeRow,
  'recordId' | 'operation' | 'before' | 'after' | 'actorMemberId'
>;

/** Who changed what: written in the transaction of the change, so that the one is never there without the other. */
export async function insertDataRecordChange(tx: Tx, change: NewDataRecordChange, now: Date): Promise<void> {
  await DataRecordChangeModel.query(tx).insert({ ...change, createdAt: now, workspaceId: tx.workspaceId });
}
