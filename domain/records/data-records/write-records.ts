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
/** Items that are planned without yielding the event loop; more would keep other requests waiting for too long. */
const itemsOfATurn = 100;
const keys = new Set(['data_records_external_id_key', 'data_records_single_key']);

/**
 * Writes up to a thousand records of a type in a few statements: the rows, their history, their events, their
 * searchable values, and pokes of the runs that collect them. This is the only place that writes records.
 *
 * An item updates the record with its external id; otherwise, in a type that holds one record for each member, the
 * member's record, which takes the external id; otherwise it creates a record. Several items for one record are applied
 * in order. An item that changes nothing is `unchanged` and writes nothing. A refused item is `failed`, and the others
 * are written; a caller that wants all or nothing throws, which rolls back its transaction.
 *
 * Concurrent calls may write the same records in any order: the later one waits, then starts over with the stored state
 * (docs/decisions/0040-access-modes-and-retirement.md). The caller pins the type, checks permissions
 * (`writer.authorize` checks those that depend on the existing record) and ensures that the members are people of the
 * workspace.
 *
 * @param newIds ids that the caller has already reserved, one for each item
 * @returns the outcome of each item, in their order
 * @throws InProgress `record_contended` if concurrent writes keep interfering
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
      // Repeat without the items whose values other records have, so that the rest is written.
      if (error instanceof UniqueValueConflict)
        for (const [item, reason] of error.items) refused.set(item, reason);
      else if (isContention(error)) round += 1;
      else throw error;
    }
  }
  throw new InProgress('record_contended', 'The record is being changed by someone else. Try again.');
}

/** Write options that also refuse these items. */
function refusing(writer: WriteOptions, refused: ReadonlyMap<RecordToSave, DomainError>): WriteOptions {
  const authorize: WriteOptions['authorize'] = (item, found) => {
    writer.authorize?.(item, found);
    const reason = refused.get(item);
    if (reason !== undefined) throw reason;
  };
  return { ...writer, authorize };
}

/**
 * Whether a concurrent write can claim the same key or unique value. An item that names its record has its place
 * already.
 */
function mayCollide({ isCollection, fields }: DataTypeRow, items: readonly RecordToSave[]): boolean {
  if (fields.some(({ unique }) => unique === true)) return true;
  return items.some(
    ({ record, externalId }) => externalId != null || (!isCollection && record === undefined),
  );
}

/** Whether a concurrent transaction took a key that was free before, or caused a deadlock. */
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
  // In this order, because a changed record may give up an external id that a new or another changed record takes.
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

/** Sends the statements in one message. Long ones are sent one by one, so that other requests run in between. */
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

/**
 * Ids of changed records whose external ids pass to other changed records. These are released first: the statement that
 * updates all of them would otherwise violate the unique index.
 */
function handingOver(writes: readonly RecordWrite[]): number[] {
  const taken = new Set(writes.flatMap(({ isNew, record }) => (isNew ? [] : (record.externalId ?? []))));
  const giving = writes.filter(({ isNew, givenUp }) => !isNew && givenUp.some((one) => taken.has(one)));
  return giving.map(({ record }) => record.id);
}

/**
 * A fixed insertion order, so that transactions that insert the same keys wait in one direction and do not deadlock.
 */
function byKey(one: DataRecordRow, other: DataRecordRow): number {
  if (one.isSingle && one.memberId !== other.memberId) return one.memberId - other.memberId;
  return (one.externalId ?? '') < (other.externalId ?? '') ? -1 : 1;
}
