import type { Tx } from '../../db/database.js';
import { type DataRecordRow, lockRecordOfTask, lockSingleRecord } from '../../db/queries/data-records.js';
import { findDataTypeBySlug, pinDataType } from '../../db/queries/data-types.js';
import { Conflict, NotFound } from '../errors.js';
import { checkRecordValues, type FieldValues, overlay } from './check-record-values.js';
import { addRecord, changeRecord, type Writer } from './recorded-writes.js';

export interface RecordToWrite extends Writer {
  dataTypeSlug: string;
  memberId: number;
  /** Laid over what the record holds already; required fields may come later. */
  values: FieldValues;
  /** The task that the values were gathered in. */
  assignmentTaskId: number | null;
  /** Whether that task is there to collect one record, bit by bit; otherwise each write to a collection adds one. */
  isCollecting: boolean;
  /** Where phone numbers without a country code belong. */
  defaultRegion: string;
}

/**
 * Writes what was gathered about a member, in the caller's transaction and on nobody's behalf: into the member's
 * one record, or, in a collection, into the record that the task collects, else into a new one. A value that is
 * refused is refused before anything is written, so the caller may catch that and go on.
 *
 * @throws NotFound for the data type, InvalidInput pointing at `/fieldValues/<slug>`
 */
export async function writeRecord(tx: Tx, input: RecordToWrite): Promise<DataRecordRow> {
  const found = await findDataTypeBySlug(tx, input.dataTypeSlug);
  const type = found && (await pinDataType(tx, found.id));
  if (type === undefined) throw new NotFound('Data type');
  const { memberId, assignmentTaskId, defaultRegion } = input;
  const values = checkRecordValues(type, input.values, { partial: true, defaultRegion });

  const find = () => {
    if (!type.isCollection) return lockSingleRecord(tx, type.id, memberId);
    if (assignmentTaskId === null || !input.isCollecting) return undefined;
    return lockRecordOfTask(tx, type.id, memberId, assignmentTaskId);
  };
  const change = (record: DataRecordRow) =>
    changeRecord(tx, input, record, {
      fieldValues: overlay(record.fieldValues, values),
      ...(assignmentTaskId === null ? {} : { assignmentTaskId }),
    });

  const existing = await find();
  if (existing !== undefined) return change(existing);
  const added = await addRecord(tx, input, {
    dataTypeId: type.id,
    memberId,
    isSingle: !type.isCollection,
    externalId: null,
    fieldValues: overlay({}, values),
    assignmentTaskId,
  });
  if (added !== undefined) return added;
  // Someone else made the member's one record in between; it is there now.
  const theirs = await find();
  if (theirs === undefined)
    throw new Conflict('record_contended', 'The record is being changed by someone else.');
  return change(theirs);
}
