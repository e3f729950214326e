import { pokeRunsAwaitingRecords } from '../../../../db/assignments/awaiting-runs.js';
import { insertDataRecordChanges } from '../../../../db/records/data-record-changes.js';
import type { TakenValue } from '../../../../db/records/data-record-values.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import {
  insertDataRecords,
  lockRecordsByKeys,
  patchDataRecords,
  releaseExternalIds,
  reserveRecordIds,
} from '../../../../db/records/write-data-records.js';
import type { Tx } from '../../../../db/tx.js';
import { dataRecordEvents } from '../../../kernel/events/data-record-events.js';
import { writeEvents } from '../../../kernel/events/write-events.js';
import { DomainError, type FieldError } from '../../../lib/errors.js';
import { eventLoopTurn } from '../../../lib/event-loop-turn.js';
import { PatternBudget } from '../../field-values.js';
import { BatchPlan, type RecordStep, type RecordWrite } from './batch-plan.js';
import { findMissing, refuseMissing } from './check-references.js';
import { mayCollide, retryOnContention } from './contention.js';
import { changedRecord, historyEntry, keysOf, newRecord, operationOf } from './merge-record.js';
import { saveFilesOfRecords } from './record-files.js';
import { saveSearchableValues } from './searchable-values.js';
import { storageRefusal } from './storage-limit.js';
import { refuseConflicts, UniqueValueConflict } from './unique-value-conflicts.js';
import type { RecordToSave, WriteOptions } from './write-options.js';

export type { RecordToSave, WriteOptions } from './write-options.js';

/** The outcome of an item. A failed item wrote nothing. */
export type SavedRecord =
  | { status: 'created' | 'updated' | 'unchanged'; record: DataRecordRow }
  | { status: 'failed'; errors: FieldError[]; code: string; reason: DomainError };

/** More items are not planned without a turn of the event loop: other requests would wait. */
const itemsOfATurn = 100;

/**
 * Writes up to a thousand records of a type in a few statements. An item updates the record with its external id;
 * otherwise, in a type that holds one record for each member, the member's record, which takes the external id;
 * otherwise it creates a record. Several items for one record are applied in order.
 *
 * The caller pins the type, checks the permissions that depend on no record, and ensures that the members are people of
 * the workspace. Concurrent calls may write the same records in any order (docs/decisions/0040).
 * @returns the outcome of each item, in their order
 * @throws InProgress `record_contended` if concurrent writes keep interfering
 */
export async function writeRecords(
  tx: Tx,
  options: WriteOptions,
  type: DataTypeRow,
  items: readonly RecordToSave[],
): Promise<SavedRecord[]> {
  const refused = new Map<RecordToSave, DomainError>();
  const write = () => writeOnce(tx, options, type, items, refused);
  if (!mayCollide(type, items)) return write();
  for (;;) {
    try {
      return await retryOnContention(tx, write);
    } catch (error) {
      if (!(error instanceof UniqueValueConflict)) throw error;
      // Repeat without the items whose values other records have, so that the rest is written.
      for (const [item, reason] of error.items) refused.set(item, reason);
    }
  }
}

async function writeOnce(
  tx: Tx,
  options: WriteOptions,
  type: DataTypeRow,
  items: readonly RecordToSave[],
  refused: ReadonlyMap<RecordToSave, DomainError>,
): Promise<SavedRecord[]> {
  const values = items.map(({ fieldValues }) => fieldValues);
  const sought = items.filter(({ record }) => record === undefined);
  const [missing, stored, ids, storageFull] = await Promise.all([
    findMissing(tx, type, values, options.fileGiver),
    lockRecordsByKeys(tx, type.id, keysOf(type, items)),
    reserveRecordIds(tx, sought.length),
    storageRefusal(tx),
  ]);
  const plan = new BatchPlan(stored);
  const patterns = new PatternBudget();

  const planItem = (item: RecordToSave): SavedRecord => {
    const found = plan.find(item);
    options.authorize?.(item, found);
    const refusal = refused.get(item) ?? storageFull;
    if (refusal !== undefined) throw refusal;
    refuseMissing(missing, item.fieldValues, found?.record.fieldValues);
    if (found === undefined) {
      const record = newRecord(options, type, item, ids.shift(), patterns);
      plan.create(item, record);
      return { status: 'created', record };
    }
    const record = changedRecord(options, type, item, found, patterns);
    if (record === found.record) return { status: 'unchanged', record };
    plan.change(item, found.record, record);
    return { status: 'updated', record };
  };

  const outcomes: SavedRecord[] = [];
  for (const [place, item] of items.entries()) {
    if (place > 0 && place % itemsOfATurn === 0) await eventLoopTurn();
    try {
      outcomes.push(planItem(item));
    } catch (reason) {
      if (!(reason instanceof DomainError)) throw reason;
      outcomes.push({ status: 'failed', errors: reason.errors, code: reason.code, reason });
    }
  }
  await save(tx, options, type, plan.writes);
  // A later item may have changed a record again.
  return outcomes.map((one) => (one.status === 'failed' ? one : { ...one, record: plan.latest(one.record) }));
}

async function save(
  tx: Tx,
  options: WriteOptions,
  type: DataTypeRow,
  writes: readonly RecordWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  const { actorMemberId, now } = options;
  const recordsOf = (some: readonly RecordWrite[]) => some.map(({ record }) => record);
  const records = recordsOf(writes);
  const steps = writes.flatMap((write) => write.steps);
  const added = recordsOf(writes.filter(isNew)).sort(byKey);
  const changed = writes.filter((write) => !isNew(write));
  const eventsOf = ({ before, after }: RecordStep) => dataRecordEvents(type, after, operationOf(before));
  const history = steps.map(({ before, after }) => historyEntry(before, after, actorMemberId));
  let taken: readonly TakenValue[] = [];
  // In this order, because a changed record may give up an external id that a new or another changed record takes.
  const statements = [
    () => releaseExternalIds(tx, handingOver(changed)),
    () => patchDataRecords(tx, recordsOf(changed)),
    () => insertDataRecords(tx, added),
    async () => {
      taken = await saveSearchableValues(tx, type, records, new Set(added.map(({ id }) => id)));
    },
    () => saveFilesOfRecords(tx, options, type, writes.map(fromFirstToLast)),
    () => insertDataRecordChanges(tx, history, now),
    () => writeEvents(tx, steps.flatMap(eventsOf), now),
    () => pokeRunsAwaitingRecords(tx, [...new Set(records.map(({ memberId }) => memberId))]),
  ];
  await sendInOrder(statements, writes.length > itemsOfATurn);
  refuseConflicts(type, writes, taken);
}

/** Sends the statements in one message. Long ones are sent one by one, so that other requests run in between. */
async function sendInOrder(statements: readonly (() => Promise<void>)[], areLong: boolean): Promise<void> {
  if (!areLong) {
    await Promise.all(statements.map((send) => send()));
    return;
  }
  for (const send of statements) {
    await send();
    await eventLoopTurn();
  }
}

function fromFirstToLast({ record, steps }: RecordWrite) {
  return { before: steps[0]?.before, after: record };
}

function isNew({ steps }: RecordWrite): boolean {
  return steps[0]?.before === undefined;
}

/** Ids of changed records whose external ids pass to other changed records, which would violate the unique index. */
function handingOver(changed: readonly RecordWrite[]): number[] {
  const taken = new Set(changed.flatMap(({ record }) => record.externalId ?? []));
  const isTaken = (externalId: string | null | undefined) => externalId != null && taken.has(externalId);
  const giving = changed.filter(({ steps }) =>
    steps.some(({ before, after }) => before?.externalId !== after.externalId && isTaken(before?.externalId)),
  );
  return giving.map(({ record }) => record.id);
}

/** A fixed order, so that transactions that insert the same keys do not deadlock. */
function byKey(one: DataRecordRow, other: DataRecordRow): number {
  if (one.isSingle && one.memberId !== other.memberId) return one.memberId - other.memberId;
  return (one.externalId ?? '') < (other.externalId ?? '') ? -1 : 1;
}
