import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import { Conflict, DomainError, InvalidInput } from '../../lib/errors.js';
import { PatternBudget } from '../field-values.js';
import { checkRecordValues, dropNoOpNulls, type FieldValues, overlay } from './check-record-values.js';
import { accessModes } from './record-access.js';
import type { FoundRecord, RecordToSave, SavedRecord, WriteOptions } from './write-options.js';

export interface Step {
  operation: 'created' | 'updated';
  item: RecordToSave;
  before: FieldValues | null;
  /** The record after this change. */
  record: DataRecordRow;
}

/** A record that several items may change, one after the other. */
export interface RecordWrite {
  isNew: boolean;
  /** The record after all steps. */
  record: DataRecordRow;
  /** External ids that the record gave up in this batch; another record may take them. */
  givenUp: string[];
  steps: Step[];
}

/** The write options, and the budget for the patterns of all items. */
type Planner = WriteOptions & { patterns: PatternBudget };

/**
 * Works out in memory what each item writes. `stored` must contain every record that the items' keys lead to, as the
 * plan sends no queries. A refused item does not prevent the others from being written.
 */
export class WritePlan {
  readonly #planner: Planner;
  readonly #type: DataTypeRow;
  readonly #shelf: Shelf;
  readonly #ids: number[];

  /** @param newIds one id for each item that may become a new record */
  constructor(
    writer: WriteOptions,
    type: DataTypeRow,
    stored: readonly DataRecordRow[],
    newIds: readonly number[],
  ) {
    this.#planner = { ...writer, patterns: new PatternBudget() };
    this.#type = type;
    this.#shelf = new Shelf(stored);
    this.#ids = [...newIds];
  }

  /** Plans the next item. @returns a function that gives the item's result once the writes are stored */
  add(item: RecordToSave): () => SavedRecord {
    try {
      return planItem(this.#planner, this.#type, item, this.#shelf, this.#ids);
    } catch (reason) {
      if (!(reason instanceof DomainError)) throw reason;
      const { errors, code } = reason;
      return () => ({ status: 'failed', errors, code, reason }) satisfies SavedRecord;
    }
  }

  get writes(): readonly RecordWrite[] {
    return this.#shelf.writes;
  }
}

function planItem(
  writer: Planner,
  type: DataTypeRow,
  item: RecordToSave,
  shelf: Shelf,
  ids: number[],
): () => SavedRecord {
  const found = shelf.find(type, item);
  writer.authorize?.(item, found && { record: found.write.record, by: found.by });
  if (found === undefined) {
    const write = shelf.add(item, newRecord(writer, type, item, nextOf(ids)));
    return () => ({ status: 'created', record: write.record });
  }
  const { write } = found;
  const { record } = write;
  const follows = writer.followsExternalIds === true && found.by === 'externalId';
  const place = follows ? placeOf(item, write, shelf) : record;
  if (!follows && record.memberId !== item.memberId && item.memberIsDefault !== true) {
    throw InvalidInput.field('/externalId', "Another member's record has this external id.", 'duplicate');
  }
  if (place.retiredAt !== null) throw recordRetired();
  const changed = changedRecord(writer, type, item, place);
  if (isDeepStrictEqual(changed, { ...record })) return () => ({ status: 'unchanged', record: write.record });
  shelf.change(write, item, { ...changed, updatedAt: writer.now });
  return () => ({ status: 'updated', record: write.record });
}

/** A known external id always updates (docs/decisions/0020): the record moves to the named member and is restored. */
function placeOf(item: RecordToSave, write: RecordWrite, shelf: Shelf): DataRecordRow {
  const { record } = write;
  const memberId = item.memberIsDefault === true ? record.memberId : item.memberId;
  const moves = memberId !== record.memberId;
  if (!moves && record.retiredAt === null) return record;
  if (record.isSingle) {
    // Only single records of the items' members were looked up. Whether this other member has one by now is unknown, so
    // the record is not restored.
    if (memberId !== item.memberId) return record;
    const there = shelf.singleOf(memberId);
    if (there !== undefined && there !== write) {
      const message = 'The member has another record of this type already, and the type holds one a member.';
      throw InvalidInput.field('/memberId', message, 'duplicate');
    }
  }
  const inUse = { retiredAt: null, retiredByMemberId: null, retiredReason: null };
  return { ...record, ...inUse, memberId, assignmentTaskId: moves ? null : record.assignmentTaskId };
}

function newRecord(writer: Planner, type: DataTypeRow, item: RecordToSave, id: number): DataRecordRow {
  const { now, defaultRegion, patterns, requiredLater = false } = writer;
  const options = { partial: requiredLater, defaultRegion, patterns };
  const values = checkRecordValues(type, item.fieldValues, options);
  return {
    id,
    workspaceId: type.workspaceId,
    uuid: randomUUID(),
    dataTypeId: type.id,
    memberId: item.memberId,
    isSingle: !type.isCollection,
    externalId: item.externalId ?? null,
    fieldValues: overlay({}, values),
    accessMode: item.accessMode ?? accessModes.own,
    assignmentTaskId: item.assignmentTaskId ?? null,
    retiredAt: null,
    retiredByMemberId: null,
    retiredReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

function changedRecord(
  { defaultRegion, patterns, requiredLater = false }: Planner,
  type: DataTypeRow,
  item: RecordToSave,
  record: DataRecordRow,
): DataRecordRow {
  const { fieldValues: before } = record;
  const given = requiredLater ? item.fieldValues : dropNoOpNulls(type, before, item.fieldValues);
  const values = checkRecordValues(type, given, { partial: true, defaultRegion, patterns });
  return {
    ...record,
    fieldValues: overlay(before, values),
    externalId: item.externalId ?? record.externalId,
    accessMode: item.accessMode ?? record.accessMode,
    assignmentTaskId: item.assignmentTaskId ?? record.assignmentTaskId,
  };
}

/** The error for every write to a retired record. */
export function recordRetired(): Conflict {
  return new Conflict('record_retired', 'The record is retired. Restore it to change it.');
}

function nextOf(ids: number[]): number {
  const id = ids.shift();
  if (id === undefined) throw new Error('there are more new records than ids');
  return id;
}

/** The records that the items lead to, each with the changes of the items planned so far. */
class Shelf {
  readonly writes: RecordWrite[] = [];
  readonly #byId = new Map<number, RecordWrite>();
  readonly #byExternalId = new Map<string, RecordWrite>();
  readonly #singles = new Map<number, RecordWrite>();

  constructor(stored: readonly DataRecordRow[]) {
    for (const record of stored) this.#put({ isNew: false, record, givenUp: [], steps: [] });
  }

  find(
    { isCollection }: DataTypeRow,
    { record, externalId, memberId }: RecordToSave,
  ): { write: RecordWrite; by: FoundRecord['by'] } | undefined {
    if (record !== undefined) {
      return {
        write: this.#byId.get(record.id) ?? this.#put({ isNew: false, record, givenUp: [], steps: [] }),
        by: 'record',
      };
    }
    const known = externalId == null ? undefined : this.#byExternalId.get(externalId);
    if (known !== undefined) return { write: known, by: 'externalId' };
    const single = isCollection ? undefined : this.#singles.get(memberId);
    return single && { write: single, by: 'single' };
  }

  /** The member's record in a type that holds one record for each member. */
  singleOf(memberId: number): RecordWrite | undefined {
    return this.#singles.get(memberId);
  }

  add(item: RecordToSave, record: DataRecordRow): RecordWrite {
    const step: Step = { operation: 'created', item, before: null, record };
    return this.#put({ isNew: true, record, givenUp: [], steps: [step] });
  }

  change(write: RecordWrite, item: RecordToSave, record: DataRecordRow): void {
    const { externalId, fieldValues: before } = write.record;
    if (externalId !== record.externalId) {
      if (externalId !== null) this.#byExternalId.delete(externalId);
      if (externalId !== null) write.givenUp.push(externalId);
      if (record.externalId !== null) this.#byExternalId.set(record.externalId, write);
    }
    if (record.isSingle) {
      this.#singles.delete(write.record.memberId);
      this.#singles.set(record.memberId, write);
    }
    write.steps.push({ operation: 'updated', item, before, record });
    write.record = record;
  }

  #put(write: RecordWrite): RecordWrite {
    const { id, externalId, memberId, isSingle, retiredAt } = write.record;
    this.writes.push(write);
    this.#byId.set(id, write);
    if (externalId !== null) this.#byExternalId.set(externalId, write);
    if (isSingle && retiredAt === null) this.#singles.set(memberId, write);
    return write;
  }
}
