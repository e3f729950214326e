import { lockDataRecord } from '../../../db/records/data-records.js';
import { pinDataType } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { settleInOrder } from '../../lib/settle-in-order.js';

/** Takes the locks of a change of a record, if it exists, within the transaction of `db`. */
export async function lockRecordForChange(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) =>
    settleInOrder(pinDataType(tx, dataTypeId), lockDataRecord(tx, dataTypeId, { id })),
  );
}
