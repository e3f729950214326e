import { emptyAnswers } from '../../../db/idempotency-keys.js';
import { lockDataRecord, deleteDataRecord as removeRecord } from '../../../db/records/data-records.js';
import { pinDataType } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { settleInOrder } from '../../lib/settle-in-order.js';

/** What was answered to these tells a record's values, under the record's id. */
const operationsThatTell = ['createDataRecord', 'upsertDataRecord'];

/**
 * Removes a record for good, with all that holds what it held: its history, its events, its searchable values, and the
 * answers kept for repetitions of the requests that made it (docs/decisions/0045-deleting-a-record.md).
 *
 * @throws NotFound, Forbidden
 */
export async function deleteDataRecord(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<void> {
  actor.require('records:admin');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    // The type as well: who changes its fields stores its records' searchable values anew.
    const [, record] = await settleInOrder(pinDataType(tx, dataTypeId), lockDataRecord(tx, dataTypeId, id));
    if (record === undefined) throw new NotFound('Data record');
    await Promise.all([removeRecord(tx, id), emptyAnswers(tx, operationsThatTell, id)]);
  });
}
