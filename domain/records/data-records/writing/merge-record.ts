import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { NewDataRecordChange } from '../../../../db/records/data-record-changes.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { RecordKeys } from '../../../../db/records/write-data-records.js';
import { Conflict, InvalidInput } from '../../../lib/errors.js';
import {
  type CheckValuesOptions,
  checkValues,
  type FieldValues,
  fileIdsIn,
  PatternBudget,
  recordFileLimits,
} from '../../field-values.js';
import { accessModes } from '../record-access.js';
import type { FoundRecord, RecordToSave, WriteOptions } from './write-options.js';

type MergeOptions = Omit<WriteOptions, 'actorMemberId' | 'authorize' | 'fileGiver'>;

/** Limit of a record's values as JSON. A page of a hundred fits into memory, and one into a row of an import. */
const maxRecordBytes = 262_144;

/** The keys by which the records of items that name none are looked up. */
export function keysOf({ isCollection }: DataTypeRow, items: readonly RecordToSave[]): RecordKeys {
  const sought = items.filter(({ record }) => record === undefined);
  return {
    externalIds: sought.flatMap(({ externalId }) => externalId ?? []),
    singlesOf: isCollection ? [] : sought.map(({ memberId }) => memberId),
  };
}

export function foundRecord(
  named: DataRecordRow | undefined,
  known: DataRecordRow | undefined,
  single: DataRecordRow | undefined,
): FoundRecord | undefined {
  if (named !== undefined) return { record: named, by: 'record', single };
  if (known !== undefined) return { record: known, by: 'externalId', single };
  return single && { record: single, by: 'single', single };
}

/** The new record of an item. @throws InvalidInput */
export function newRecord(
  { now, defaultRegion, requiredLater = false }: MergeOptions,
  type: DataTypeRow,
  item: RecordToSave,
  id: number | undefined,
  patterns = new PatternBudget(),
): DataRecordRow {
  if (id === undefined) throw new Error('a new record has no id');
  const options = { partial: requiredLater, defaultRegion, patterns };
  return {
    id,
    workspaceId: type.workspaceId,
    uuid: randomUUID(),
    dataTypeId: type.id,
    memberId: item.memberId,
    isSingle: !type.isCollection,
    externalId: item.externalId ?? null,
    fieldValues: mergedValues(type, {}, item.fieldValues, options),
    accessMode: item.accessMode ?? accessModes.own,
    assignmentTaskId: item.assignmentTaskId ?? null,
    retiredAt: null,
    retiredByMemberId: null,
    retiredReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The found record with the changes of an item; the same object if nothing changes. @throws InvalidInput, Conflict */
export function changedRecord(
  options: MergeOptions,
  type: DataTypeRow,
  item: RecordToSave,
  found: FoundRecord,
  patterns = new PatternBudget(),
): DataRecordRow {
  const { now, defaultRegion, requiredLater = false } = options;
  const record = ownedRecord(options, item, found);
  if (record.retiredAt !== null) {
    throw new Conflict('record_retired', 'The record is retired. Restore it to change it.');
  }
  const { fieldValues: before } = record;
  const given = requiredLater ? item.fieldValues : dropNoOpNulls(type, before, item.fieldValues);
  const changed = {
    ...record,
    fieldValues: mergedValues(type, before, given, { partial: true, defaultRegion, patterns }),
    externalId: item.externalId ?? record.externalId,
    accessMode: item.accessMode ?? record.accessMode,
    assignmentTaskId: item.assignmentTaskId ?? record.assignmentTaskId,
  };
  return isDeepStrictEqual(changed, { ...found.record }) ? found.record : { ...changed, updatedAt: now };
}

function ownedRecord(
  { followsExternalIds }: MergeOptions,
  item: RecordToSave,
  found: FoundRecord,
): DataRecordRow {
  const { record, by } = found;
  if (followsExternalIds === true && by === 'externalId') return movedRecord(item, found);
  if (record.memberId === item.memberId || item.memberIsDefault === true) return record;
  throw InvalidInput.field('/externalId', "Another member's record has this external id.", 'duplicate');
}

/** A known external id always updates (docs/decisions/0020): the record moves to the named member and is restored. */
function movedRecord(item: RecordToSave, { record, single }: FoundRecord): DataRecordRow {
  const memberId = item.memberIsDefault === true ? record.memberId : item.memberId;
  const moves = memberId !== record.memberId;
  if (!moves && record.retiredAt === null) return record;
  if (record.isSingle) {
    // Only single records of the items' members were looked up: this other member may have one by now.
    if (memberId !== item.memberId) return record;
    if (single !== undefined && single.id !== record.id) {
      const message = 'The member has another record of this type already, and the type holds one a member.';
      throw InvalidInput.field('/memberId', message, 'duplicate');
    }
  }
  const inUse = { retiredAt: null, retiredByMemberId: null, retiredReason: null };
  return { ...record, ...inUse, memberId, assignmentTaskId: moves ? null : record.assignmentTaskId };
}

/**
 * The values before with the given ones, in their stored form. @throws InvalidInput at each bad field, or for too many
 * files or bytes
 */
function mergedValues(
  type: DataTypeRow,
  before: FieldValues,
  given: FieldValues,
  options: CheckValuesOptions,
): FieldValues {
  const { values, errors } = checkValues(type.fields, given, options);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  const all = Object.fromEntries(
    Object.entries({ ...before, ...values }).filter(([, value]) => value != null),
  );
  const { ofRecord } = recordFileLimits;
  if (fileIdsIn(type.fields, all).length > ofRecord) {
    throw InvalidInput.field('/fieldValues', `A record holds at most ${ofRecord} files.`);
  }
  if (Buffer.byteLength(JSON.stringify(all)) <= maxRecordBytes) return all;
  const message = `A record holds at most ${maxRecordBytes} bytes.`;
  throw InvalidInput.field('/fieldValues', message, 'record_too_large');
}

/** Drops nulls for empty fields, even required ones: agents store incomplete records, which clients may send back. */
function dropNoOpNulls({ fields }: DataTypeRow, before: FieldValues, values: FieldValues): FieldValues {
  const isEmpty = (slug: string) =>
    !Object.hasOwn(before, slug) && fields.some((field) => field.slug === slug);
  return Object.fromEntries(
    Object.entries(values).filter(([slug, value]) => value !== null || !isEmpty(slug)),
  );
}

export function operationOf(before: DataRecordRow | undefined): 'created' | 'updated' {
  return before === undefined ? 'created' : 'updated';
}

export function historyEntry(
  before: DataRecordRow | undefined,
  after: DataRecordRow,
  actorMemberId: number | null,
): NewDataRecordChange {
  return {
    recordId: after.id,
    operation: operationOf(before),
    before: before?.fieldValues ?? null,
    after: after.fieldValues,
    actorMemberId,
  };
}
