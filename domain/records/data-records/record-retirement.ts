import { pokeCollectingRuns } from '../../../db/assignments/collecting-runs.js';
import type { Tx } from '../../../db/database.js';
import { subscribedEventTypes } from '../../../db/events/events.js';
import { insertDataRecordChanges } from '../../../db/records/data-record-changes.js';
import type { DataRecordDetails } from '../../../db/records/data-records.js';
import { lockDataRecord } from '../../../db/records/data-records.js';
import { type DataTypeRow, pinDataType } from '../../../db/records/data-types.js';
import { updateRetirement } from '../../../db/records/write-data-records.js';
import { dataRecordEvents } from '../../events/events/data-record-events.js';
import { writeEvents } from '../../events/events/write-events.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { settleInOrder } from '../../lib/settle-in-order.js';
import { requireChange } from './record-access.js';
import { saveSearchableValues } from './writing/searchable-values.js';
import { duplicate } from './writing/unique-value-conflicts.js';

/** Locks the record to retire or restore, and checks that the actor may change it. @throws NotFound, Forbidden */
export async function lockForRetirement(
  tx: Tx,
  { actor }: Pick<CommandContext, 'actor'>,
  dataTypeId: number,
  id: number,
): Promise<{ type: DataTypeRow; record: DataRecordDetails }> {
  const [type, record] = await settleInOrder(
    pinDataType(tx, dataTypeId),
    lockDataRecord(tx, dataTypeId, id),
    subscribedEventTypes(tx),
  );
  if (type === undefined) throw new NotFound('Data type');
  if (record === undefined) throw new NotFound('Data record');
  requireChange(actor, type, record);
  return { type, record };
}

/**
 * Stores whether a record is retired, with its history entry and its events. The record's values stay; its unique
 * values are free for other records while it is retired.
 *
 * @throws Conflict `record_value_taken` if another record has taken one of them
 */
export async function writeRetirement(
  tx: Tx,
  { actor }: Pick<CommandContext, 'actor'>,
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
    updateRetirement(tx, record),
    saveSearchableValues(tx, type, [record]),
    insertDataRecordChanges(tx, [change], updatedAt),
    writeEvents(tx, dataRecordEvents(type, record, 'updated'), updatedAt),
    pokeCollectingRuns(tx, [memberId]),
  ]);
  if (taken.length > 0) {
    const { errors } = duplicate(
      type,
      taken.map(({ field }) => field),
    );
    throw new Conflict(
      'record_value_taken',
      'Another record now has one of the unique values of this record.',
      errors,
    );
  }
  return record;
}
