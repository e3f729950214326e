import type { Tx } from '../../../db/database.js';
import { type DataRecordRow, lockRecordOfTask } from '../../../db/records/data-records.js';
import { pinDataTypeBySlug } from '../../../db/records/data-types.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { FieldValues } from './check-record-values.js';
import { accessModes } from './record-access.js';
import { unwrapSaved } from './unwrap-saved.js';
import { type WriteOptions, writeRecords } from './write-records.js';

export interface RecordToWrite extends Pick<WriteOptions, 'actorMemberId' | 'now' | 'defaultRegion'> {
  dataTypeSlug: string;
  memberId: number;
  /** Laid over what the record holds already; required fields may come later. */
  values: FieldValues;
  /** The task that the values were gathered in. */
  assignmentTaskId: number | null;
  /** Whether that task is there to collect one record, bit by bit; otherwise each write to a collection adds one. */
  isCollecting: boolean;
  /** Whether only a record that the member itself may change is written to. Default: a record of any access mode. */
  asMember?: boolean;
}

/**
 * Writes what was gathered about a member, in the caller's transaction and on nobody's behalf: into the member's
 * one record, or, in a collection, into the record that the task collects, else into a new one. A value that is
 * refused is refused before anything is written, so the caller may catch that and go on.
 *
 * @throws NotFound for the data type, InvalidInput pointing at `/fieldValues/<slug>`, or `record_not_writable`
 */
export async function writeRecord(tx: Tx, input: RecordToWrite): Promise<DataRecordRow> {
  const { memberId, assignmentTaskId, actorMemberId, now, defaultRegion, isCollecting } = input;
  const type = await pinDataTypeBySlug(tx, input.dataTypeSlug);
  if (type === undefined) throw new NotFound('Data type');
  const collects = type.isCollection && isCollecting && assignmentTaskId !== null;
  const record = collects ? await lockRecordOfTask(tx, type.id, memberId, assignmentTaskId) : undefined;
  const gatherer: WriteOptions = { actorMemberId, now, defaultRegion, requiredLater: true };
  const writer = input.asMember === true ? { ...gatherer, admit: refuseClosed } : gatherer;
  const item = { memberId, fieldValues: input.values, assignmentTaskId };
  const [saved] = await writeRecords(tx, writer, type, [record === undefined ? item : { ...item, record }]);
  return unwrapSaved(saved);
}

/** A record that is read-only to the member and one that is hidden from it are refused alike. */
const refuseClosed: NonNullable<WriteOptions['authorize']> = (_item, found) => {
  if (found === undefined || found.record.accessMode === accessModes.own) return;
  throw new InvalidInput('record_not_writable', 'The record cannot be changed here.');
};
