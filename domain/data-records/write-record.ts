import type { Tx } from '../../db/database.js';
import { type DataRecordRow, lockRecordOfTask } from '../../db/queries/data-records.js';
import { pinDataTypeBySlug } from '../../db/queries/data-types.js';
import { NotFound } from '../errors.js';
import type { FieldValues } from './check-record-values.js';
import { savedRow } from './saved-row.js';
import { type Writer, writeRecords } from './write-records.js';

export interface RecordToWrite extends Pick<Writer, 'actorMemberId' | 'now' | 'defaultRegion'> {
  dataTypeSlug: string;
  memberId: number;
  /** Laid over what the record holds already; required fields may come later. */
  values: FieldValues;
  /** The task that the values were gathered in. */
  assignmentTaskId: number | null;
  /** Whether that task is there to collect one record, bit by bit; otherwise each write to a collection adds one. */
  isCollecting: boolean;
}

/**
 * Writes what was gathered about a member, in the caller's transaction and on nobody's behalf: into the member's
 * one record, or, in a collection, into the record that the task collects, else into a new one. A value that is
 * refused is refused before anything is written, so the caller may catch that and go on.
 *
 * @throws NotFound for the data type, InvalidInput pointing at `/fieldValues/<slug>`
 */
export async function writeRecord(tx: Tx, input: RecordToWrite): Promise<DataRecordRow> {
  const { memberId, assignmentTaskId, actorMemberId, now, defaultRegion, isCollecting } = input;
  const type = await pinDataTypeBySlug(tx, input.dataTypeSlug);
  if (type === undefined) throw new NotFound('Data type');
  const collects = type.isCollection && isCollecting && assignmentTaskId !== null;
  const record = collects ? await lockRecordOfTask(tx, type.id, memberId, assignmentTaskId) : undefined;
  const writer = { actorMemberId, now, defaultRegion, requiredLater: true };
  const item = { memberId, fieldValues: input.values, assignmentTaskId };
  const [saved] = await writeRecords(tx, writer, type, [record === undefined ? item : { ...item, record }]);
  return savedRow(saved);
}
