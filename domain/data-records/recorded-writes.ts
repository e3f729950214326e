import type { Tx } from '../../db/database.js';
import { insertDataRecordChange } from '../../db/queries/data-record-changes.js';
import {
  type DataRecordRow,
  type DataRecordUpdate,
  insertDataRecord,
  type NewDataRecord,
  updateDataRecord,
} from '../../db/queries/data-records.js';
import { NotFound } from '../errors.js';

/** Who writes, and when. No one in particular when the agent does. */
export interface Writer {
  actorMemberId: number | null;
  now: Date;
}

/**
 * Adds a record and its first change. Undefined, and nothing written, when the external id or the member's one place
 * is taken: no error either, so the transaction goes on.
 */
export async function addRecord(
  tx: Tx,
  { actorMemberId, now }: Writer,
  values: NewDataRecord,
): Promise<DataRecordRow | undefined> {
  const record = await insertDataRecord(tx, values, now);
  if (record === undefined) return undefined;
  const { id: recordId, fieldValues: after } = record;
  await insertDataRecordChange(
    tx,
    { recordId, operation: 'created', before: null, after, actorMemberId },
    now,
  );
  return record;
}

/** Changes a record that the transaction holds, and writes down what was before and after. */
export async function changeRecord(
  tx: Tx,
  { actorMemberId, now }: Writer,
  record: DataRecordRow,
  changes: DataRecordUpdate,
): Promise<DataRecordRow> {
  const updated = await updateDataRecord(tx, record.id, changes, now);
  if (updated === undefined) throw new NotFound('Data record');
  const { fieldValues: before } = record;
  const { id: recordId, fieldValues: after } = updated;
  await insertDataRecordChange(tx, { recordId, operation: 'updated', before, after, actorMemberId }, now);
  return updated;
}
