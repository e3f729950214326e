import { pokeCollectingRuns } from '../../../db/assignments/collecting-runs.js';
import type { Tx } from '../../../db/database.js';
import { subscribedEventTypes } from '../../../db/events/events.js';
import { insertDataRecordChanges } from '../../../db/records/data-record-changes.js';
import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import {
  insertDataRecords,
  lockRecordsByKeys,
  releaseExternalIds,
  reserveRecordIds,
  updateDataRecords,
} from '../../../db/records/write-data-records.js';
import { withSavepoint } from '../../../db/savepoint.js';
import { isDeadlock, violatedConstraint } from '../../../db/violated-constraint.js';
import { dataRecordEvents } from '../../events/events/data-record-events.js';
import { writeEvents } from '../../events/events/write-events.js';
import { type DomainError, InProgress } from '../../lib/errors.js';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';
import { findMissing, refuseMissing } from './check-references.js';
import { type RecordWrite, WritePlan } from './plan-writes.js';
import { saveSearchableValues, type TakenValue } from './searchable-values.js';
import { storageRefusal } from './storage-limit.js';
import { refuseConflicts, UniqueValueConflict } from './unique-value-conflicts.js';
import type { RecordToSave, SavedRecord, WriteOptions } from './write-options.js';

export type { RecordToSave, SavedRecord, WriteOptions } from './write-options.js';

const mostRounds = 10;
/** What is done for more items at once keeps other requests waiting for too long. */
const itemsOfATurn = 100;
const keys = new Set(['data_records_external_id_key', 'data_records_single_key']);

/**
 * Writes records of a type, one or a thousand, in a handful of statements: the rows, their history, their events, their
 * searchable values, and pokes of the runs that collect them. This is the one place where records are written.
 *
 * An item changes the record that has its external id, else, in a type that is no collection, the member's one record,
 * which takes the external id over; else it makes a record. Several items about one record go one after the other. What
 * changes nothing is `unchanged`, and leaves no trace. What is refused is `failed`, and the others are written all the
 * same: who wants all or nothing throws, and the transaction goes.
 *
 * Others may write the same at the same time, in any order: who comes second waits, and begins anew with what is there
 * then (docs/decisions/0040-access-modes-and-retirement.md). The caller pins the type, checks permissions (`writer.admit`
 * for what depends on the record that is there) and knows that the members are people of the workspace.
 *
 * @param newIds ids that the caller has reserved with what it asked for before, one for each item
 * @returns what became of each item, in their order
 * @throws InProgress `record_contended` when others kept coming in between
 */
export async function writeRecords(
  tx: Tx,
  writer: WriteOptions,
  type: DataTypeRow,
  items: readonly RecordToSave[],
  newIds?: readonly number[],
): Promise<SavedRecord[]> {
  const refused = new Map<RecordToSave, DomainError>();
  const write = () => writeOnce(tx, refusing(writer, refused), type, items, newIds);
  if (!mayCollide(type, items)) return write();
  for (let round = 1; round <= mostRounds; ) {
    try {
      return await withSavepoint(tx, write);
    } catch (error) {
      // Without those whose values others have, the rest is written.
      if (error instanceof UniqueValueConflict)
        for (const [item, reason] of error.items) refused.set(item, reason);
      else if (isContention(error)) round += 1;
      else throw error;
    }
  }
  throw new InProgress('record_contended', 'The record is being changed by someone else. Try again.');
}

/** A writer that does not admit these items. */
function refusing(writer: WriteOptions, refused: ReadonlyMap<RecordToSave, DomainError>): WriteOptions {
  const authorize: WriteOptions['authorize'] = (item, found) => {
    writer.authorize?.(item, found);
    const reason = refused.get(item);
    if (reason !== undefined) throw reason;
  };
  return { ...writer, authorize };
}

/** Whether others can want the same place, or a value, as one of these records. A place they have waits for nobody. */
function mayCollide({ isCollection, fields }: DataTypeRow, items: readonly RecordToSave[]): boolean {
  if (fields.some(({ unique }) => unique === true)) return true;
  return items.some(
    ({ record, externalId }) => externalId != null || (!isCollection && record === undefined),
  );
}

/** Someone else took a place that was free when it was looked at, or waited for us while we waited for them. */
function isContention(error: unknown): boolean {
  const constraint = violatedConstraint(error);
  return isDeadlock(error) || (constraint !== undefined && keys.has(constraint));
}

async function writeOnce(
  tx: Tx,
  writer: WriteOptions,
  type: DataTypeRow,
  items: readonly RecordToSave[],
  newIds: readonly number[] | undefined,
): Promise<SavedRecord[]> {
  const sought = items.filter(({ record }) => record === undefined);
  const [missing, stored, ids, refusal] = await Promise.all([
    findMissing(
      tx,
      type,
      items.map(({ fieldValues }) => fieldValues),
    ),
    lockStored(tx, type, sought),
    newIds ?? (sought.length === 0 ? [] : reserveRecordIds(tx, sought.length)),
    storageRefusal(tx),
    subscribedEventTypes(tx),
  ]);
  const authorize: WriteOptions['authorize'] = (item, found) => {
    writer.authorize?.(item, found);
    if (refusal !== undefined) throw refusal;
    refuseMissing(missing, item.fieldValues, found?.record.fieldValues);
  };
  const plan = new WritePlan({ ...writer, authorize }, type, stored, ids);
  const outcomes: (() => SavedRecord)[] = [];
  for (const [place, item] of items.entries()) {
    if (place > 0 && place % itemsOfATurn === 0) await eventLoopTurn();
    outcomes.push(plan.add(item));
  }
  await store(tx, writer, type, plan.writes);
  return outcomes.map((outcome) => outcome());
}

async function lockStored(
  tx: Tx,
  type: DataTypeRow,
  sought: readonly RecordToSave[],
): Promise<DataRecordRow[]> {
  const externalIds = sought.flatMap(({ externalId }) => externalId ?? []);
  const singlesOf = type.isCollection ? [] : sought.map(({ memberId }) => memberId);
  if (externalIds.length + singlesOf.length === 0) return [];
  return lockRecordsByKeys(tx, type.id, { externalIds, singlesOf });
}

async function store(
  tx: Tx,
  writer: WriteOptions,
  type: DataTypeRow,
  writes: readonly RecordWrite[],
): Promise<void> {
  const { actorMemberId, now } = writer;
  const written = writes.filter(({ steps }) => steps.length > 0);
  if (written.length === 0) return;
  const recordsOf = (isNew: boolean) =>
    written.filter((write) => write.isNew === isNew).map(({ record }) => record);
  const records = written.map(({ record }) => record);
  const steps = written.flatMap((write) => write.steps);
  const changes = steps.map(({ operation, before, record: { id: recordId, fieldValues: after } }) => ({
    recordId,
    operation,
    before,
    after,
    actorMemberId,
  }));
  const changed = recordsOf(false);
  const added = recordsOf(true).sort(byKey);
  let taken: readonly TakenValue[] = [];
  // A record that is changed may give up an external id that a new one takes, or another that is changed.
  const statements = [
    () => releaseExternalIds(tx, handingOver(written)),
    () => updateDataRecords(tx, changed),
    () => insertDataRecords(tx, added),
    async () => {
      taken = await saveSearchableValues(tx, type, records, new Set(added.map(({ id }) => id)));
    },
    () => insertDataRecordChanges(tx, changes, now),
    () =>
      writeEvents(
        tx,
        steps.flatMap(({ record, operation }) => dataRecordEvents(type, record, operation)),
        now,
      ),
    () => pokeCollectingRuns(tx, [...new Set(records.map(({ memberId }) => memberId))]),
  ];
  await inTurn(statements, written.length > itemsOfATurn);
  refuseConflicts(type, written, taken);
}

/** Sends statements in one message, or, where they are long, one by one, so that other requests come in between. */
async function inTurn(statements: readonly (() => Promise<void>)[], areLong: boolean): Promise<void> {
  if (!areLong) {
    await Promise.all(statements.map((send) => send()));
    return;
  }
  for (const send of statements) {
    await send();
    await eventLoopTurn();
  }
}

/** Records whose external ids other records that are changed with them take: one statement sees both at once. */
function handingOver(writes: readonly RecordWrite[]): number[] {
  const taken = new Set(writes.flatMap(({ isNew, record }) => (isNew ? [] : (record.externalId ?? []))));
  const giving = writes.filter(({ isNew, givenUp }) => !isNew && givenUp.some((one) => taken.has(one)));
  return giving.map(({ record }) => record.id);
}

/** The same for everybody, so that those who insert the same wait for each other in one direction. */
function byKey(one: DataRecordRow, other: DataRecordRow): number {
  if (one.isSingle && one.memberId !== other.memberId) return one.memberId - other.memberId;
  return (one.externalId ?? '') < (other.externalId ?? '') ? -1 : 1;
}
