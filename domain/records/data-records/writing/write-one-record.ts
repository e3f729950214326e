import { pokeRunsAwaitingRecords } from '../../../../db/assignments/awaiting-runs.js';
import { insertDataRecordChanges } from '../../../../db/records/data-record-changes.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import {
  insertDataRecords,
  lockRecordsByKeys,
  patchDataRecords,
  reserveRecordIds,
} from '../../../../db/records/write-data-records.js';
import type { Tx } from '../../../../db/tx.js';
import { dataRecordEvents } from '../../../kernel/events/data-record-events.js';
import { writeEvents } from '../../../kernel/events/write-events.js';
import { findMissing, refuseMissing } from './check-references.js';
import { mayCollide, retryOnContention } from './contention.js';
import { changedRecord, foundRecord, historyEntry, keysOf, newRecord, operationOf } from './merge-record.js';
import { saveFilesOfRecords } from './record-files.js';
import { saveSearchableValues } from './searchable-values.js';
import { storageRefusal } from './storage-limit.js';
import { takenValues } from './unique-value-conflicts.js';
import type { RecordToSave, WriteOptions } from './write-options.js';

/** A record, and what has become of it. */
export interface WrittenRecord {
  record: DataRecordRow;
  operation: 'created' | 'updated' | 'unchanged';
}

/**
 * Creates or changes one record, by the rules of `writeRecords` (docs/decisions/0090-one-record-beside-the-batch.md).
 * @param newId an id that the caller has already reserved
 * @throws what `options.authorize` throws, InvalidInput, Conflict, InProgress `record_contended`; nothing is written
 * then
 */
export async function writeOneRecord(
  tx: Tx,
  options: WriteOptions,
  type: DataTypeRow,
  item: RecordToSave,
  newId?: number,
): Promise<WrittenRecord> {
  const write = async () => {
    const [missing, stored, [id], storageFull] = await Promise.all([
      findMissing(tx, type, [item.fieldValues], options.fileGiver),
      lockRecordsByKeys(tx, type.id, keysOf(type, [item])),
      item.record === undefined && newId === undefined ? reserveRecordIds(tx, 1) : [newId],
      storageRefusal(tx),
    ]);
    const known = stored.find(({ externalId }) => externalId !== null && externalId === item.externalId);
    const single = stored.find(
      (one) => one.isSingle && one.retiredAt === null && one.memberId === item.memberId,
    );
    const found = foundRecord(item.record, known, single);

    options.authorize?.(item, found);
    if (storageFull !== undefined) throw storageFull;
    refuseMissing(missing, item.fieldValues, found?.record.fieldValues);

    const before = found?.record;
    const after = found ? changedRecord(options, type, item, found) : newRecord(options, type, item, id);
    if (after === before) return { record: after, operation: 'unchanged' as const };
    await save(tx, options, type, item, before, after);
    return { record: after, operation: operationOf(before) };
  };
  return mayCollide(type, [item]) ? retryOnContention(tx, write) : write();
}

async function save(
  tx: Tx,
  options: WriteOptions,
  type: DataTypeRow,
  item: RecordToSave,
  before: DataRecordRow | undefined,
  after: DataRecordRow,
): Promise<void> {
  const { actorMemberId, now } = options;
  const isNew = before === undefined;
  // All statements are sent in one message, in this order.
  const [, taken] = await Promise.all([
    isNew ? insertDataRecords(tx, [after]) : patchDataRecords(tx, [after]),
    saveSearchableValues(tx, type, [after], new Set(isNew ? [after.id] : [])),
    saveFilesOfRecords(tx, options, type, [{ before, after }]),
    insertDataRecordChanges(tx, [historyEntry(before, after, actorMemberId)], now),
    writeEvents(tx, dataRecordEvents(type, after, operationOf(before)), now),
    pokeRunsAwaitingRecords(tx, [after.memberId]),
  ]);
  if (taken.length > 0) throw takenValues(type, item, taken);
}
