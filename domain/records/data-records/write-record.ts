import { type DataRecordRow, lockRecordOfTask } from '../../../db/records/data-records.js';
import { pinDataTypeBySlug } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { FieldValues } from '../field-values.js';
import { accessModes } from './record-access.js';
import { writeOneRecord } from './writing/write-one-record.js';
import type { WriteOptions } from './writing/write-options.js';

export interface RecordToWrite
  extends Pick<WriteOptions, 'actorMemberId' | 'now' | 'defaultRegion' | 'fileGiver'> {
  dataTypeSlug: string;
  memberId: number;
  /** Merged into the record's values; required fields may be missing. */
  values: FieldValues;
  assignmentTaskId: number | null;
  /** Whether the task gathers one record over several writes; if not, each write to a collection adds a record. */
  isCollecting: boolean;
  /** Whether to refuse records that the member itself may not change. Default: any access mode is written. */
  asMember?: boolean;
}

/**
 * Writes values that were gathered about a member, without checking an actor's permissions: to the member's single
 * record, in a collection to the record that the task gathers, otherwise to a new record. A refusal is thrown before
 * anything is written, so the caller may catch it and continue.
 * @throws NotFound for the data type, InvalidInput at `/fieldValues/<slug>`, InvalidInput `record_not_writable`
 */
export async function writeRecord(tx: Tx, input: RecordToWrite): Promise<DataRecordRow> {
  const { memberId, assignmentTaskId, actorMemberId, now, defaultRegion, fileGiver, isCollecting } = input;
  const type = await pinDataTypeBySlug(tx, input.dataTypeSlug);
  if (type === undefined) throw new NotFound('Data type');
  const collects = type.isCollection && isCollecting && assignmentTaskId !== null;
  const record = collects ? await lockRecordOfTask(tx, type.id, memberId, assignmentTaskId) : undefined;
  const authorize = input.asMember === true ? refuseClosed : undefined;
  const options: WriteOptions = {
    actorMemberId,
    now,
    defaultRegion,
    fileGiver,
    requiredLater: true,
    authorize,
  };
  const item = { memberId, fieldValues: input.values, assignmentTaskId };
  return (await writeOneRecord(tx, options, type, record === undefined ? item : { ...item, record })).record;
}

/** Refuses records that are read-only for the member and hidden ones with the same error. */
const refuseClosed: NonNullable<WriteOptions['authorize']> = (_item, found) => {
  if (found === undefined || found.record.accessMode === accessModes.own) return;
  throw new InvalidInput('record_not_writable', 'The record cannot be changed here.');
};
