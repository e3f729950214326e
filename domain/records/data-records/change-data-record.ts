import type { Tx } from '../../../db/database.js';
import { subscribedEventTypes } from '../../../db/events/events.js';
import type { DataRecordDetails } from '../../../db/records/data-records.js';
import { type DataTypeRow, pinDataType } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { NotFound } from '../../lib/errors.js';
import { settleInOrder } from '../../lib/settle-in-order.js';
import type { FieldValues } from './check-record-values.js';
import { canWriteAll, requireChange } from './record-access.js';
import { unwrapSaved } from './unwrap-saved.js';
import { writeRecords } from './write-records.js';

export interface RecordChanges {
  /** Omitted fields keep their values; null clears a field. */
  fieldValues: FieldValues;
  accessMode?: number;
}

/** How the record is found and locked. */
export interface RecordChoice {
  lock(tx: Tx): Promise<DataRecordDetails | undefined>;
  /** Checks permissions before the error for a missing record, which would reveal whether the record exists. */
  admit?(type: DataTypeRow, record: DataRecordDetails | undefined): void;
}

/**
 * Updates one record: the part that all update commands share.
 *
 * @throws NotFound, Forbidden, InvalidInput, Conflict `record_retired`
 */
export async function changeDataRecord(
  context: CommandContext,
  dataTypeId: number,
  choice: RecordChoice,
  changes: RecordChanges,
): Promise<DataRecordDetails> {
  const { db, actor, clock } = context;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const [type, defaultRegion, record] = await settleInOrder(
      pinDataType(tx, dataTypeId),
      workspaceRegion(context, tx),
      choice.lock(tx),
      subscribedEventTypes(tx),
    );
    if (type === undefined) throw new NotFound('Data type');
    choice.admit?.(type, record);
    if (record === undefined) throw new NotFound('Data record');
    requireChange(actor, type, record);
    if (changes.accessMode !== undefined && !canWriteAll(actor, type)) actor.require('records:write');
    const { memberName, ...row } = record;
    const writer = { actorMemberId: actor.memberId, now: clock.now(), defaultRegion, authorize: undefined };
    const item = { ...changes, memberId: row.memberId, record: row };
    return { ...unwrapSaved((await writeRecords(tx, writer, type, [item]))[0]), memberName };
  });
}
