import { pokeRunsAwaitingRecords } from '../../../db/assignments/awaiting-runs.js';
import { isDeadlock, violatedConstraint } from '../../../db/postgres-errors.js';
import { insertDataRecordChanges } from '../../../db/records/data-record-changes.js';
import { type DataRecordDetails, lockDataRecord } from '../../../db/records/data-records.js';
import { type DataTypeRow, pinDataType } from '../../../db/records/data-types.js';
import { patchRetirement } from '../../../db/records/write-data-records.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { dataRecordEvents } from '../../kernel/events/data-record-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { settleInOrder } from '../../lib/settle-in-order.js';
import { type DataRecordView, withItsFiles } from './queries/files-of-records.js';
import { requireChange } from './record-access.js';
import { retryOnContention } from './writing/contention.js';
import { saveSearchableValues } from './writing/searchable-values.js';
import { duplicate } from './writing/unique-value-conflicts.js';

/**
 * Retires a record. It disappears from lists, frees the member's place in a type that holds one record for each member,
 * and can be read but not changed. A record that is already retired stays as it is.
 * @throws NotFound, Forbidden
 */
export async function retireDataRecord(
  context: CommandContext,
  dataTypeId: number,
  id: number,
  reason: string | null = null,
): Promise<DataRecordView> {
  const { db, actor, clock } = context;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { type, record } = await lockForRetirement(tx, context, dataTypeId, id);
    if (record.retiredAt !== null) return withItsFiles(tx, actor, record, type);
    const now = clock.now();
    const retirement = { retiredAt: now, retiredByMemberId: actor.memberId, retiredReason: reason };
    const retired = { ...record, ...retirement, updatedAt: now };
    return withItsFiles(tx, actor, await writeRetirement(tx, context, type, retired), type);
  });
}

/**
 * Restores a retired record as it was. A record that is not retired stays as it is.
 * @throws NotFound, Forbidden, Conflict `record_place_taken` or `record_value_taken`, InProgress `record_contended`
 */
export async function restoreDataRecord(
  context: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<DataRecordView> {
  const { db, actor, clock } = context;
  try {
    return await db.inWorkspace(actor.workspaceId, async (tx) => {
      const { type, record } = await lockForRetirement(tx, context, dataTypeId, id);
      if (record.retiredAt === null) return withItsFiles(tx, actor, record, type);
      const retirement = { retiredAt: null, retiredByMemberId: null, retiredReason: null };
      const restored = { ...record, ...retirement, updatedAt: clock.now() };
      const write = () => writeRetirement(tx, context, type, restored);
      return withItsFiles(tx, actor, await retryOnContention(tx, write, isDeadlock), type);
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'data_records_single_key') throw error;
    const message = 'The member now has another record of this type, which allows one per member.';
    throw new Conflict('record_place_taken', message);
  }
}

async function lockForRetirement(
  tx: Tx,
  { actor }: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<{ type: DataTypeRow; record: DataRecordDetails }> {
  const [type, record] = await settleInOrder(
    pinDataType(tx, dataTypeId),
    lockDataRecord(tx, dataTypeId, { id }),
  );
  if (type === undefined) throw new NotFound('Data type');
  if (record === undefined) throw new NotFound('Data record');
  requireChange(actor, type, record);
  return { type, record };
}

/** Stores whether a record is retired. Its unique values are free for other records while it is. */
async function writeRetirement(
  tx: Tx,
  { actor }: CommandContext,
  type: DataTypeRow,
  record: DataRecordDetails,
): Promise<DataRecordDetails> {
  const { id: recordId, fieldValues, memberId, retiredAt, updatedAt } = record;
  const change = {
    recordId,
    operation: retiredAt === null ? ('restored' as const) : ('retired' as const),
    before: fieldValues,
    after: fieldValues,
    actorMemberId: actor.memberId,
  };
  const [, taken] = await Promise.all([
    patchRetirement(tx, record),
    saveSearchableValues(tx, type, [record]),
    insertDataRecordChanges(tx, [change], updatedAt),
    writeEvents(tx, dataRecordEvents(type, record, 'updated'), updatedAt),
    pokeRunsAwaitingRecords(tx, [memberId]),
  ]);
  if (taken.length === 0) return record;
  const slugs = taken.map(({ field }) => field);
  const message = 'Another record now has one of the unique values of this record.';
  throw new Conflict('record_value_taken', message, duplicate(type, slugs).errors);
}
