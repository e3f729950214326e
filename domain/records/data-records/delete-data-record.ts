import { pokeRunsAwaitingRecords } from '../../../db/assignments/awaiting-runs.js';
import { emptyAnswers } from '../../../db/idempotency-keys.js';
import { lockDataRecord, removeDataRecord } from '../../../db/records/data-records.js';
import { pinDataType } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { settleInOrder } from '../../lib/settle-in-order.js';

/** Operations whose answers, stored for idempotency keys under the record's id, contain the record's values. */
const operationsThatTell = ['createDataRecord', 'upsertDataRecord'];

/**
 * Deletes a record with every copy of its values: its history, its events, its searchable values and the answers stored
 * for idempotency keys (docs/decisions/0040-access-modes-and-retirement.md).
 * @throws NotFound, Forbidden
 */
export async function deleteDataRecord(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<void> {
  actor.require('records:admin');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    // Pin the type as well: a change of its fields rebuilds the searchable values of its records.
    const [, record] = await settleInOrder(
      pinDataType(tx, dataTypeId),
      lockDataRecord(tx, dataTypeId, { id }),
    );
    if (record === undefined) throw new NotFound('Data record');
    await Promise.all([
      removeDataRecord(tx, id),
      emptyAnswers(tx, operationsThatTell, id),
      pokeRunsAwaitingRecords(tx, [record.memberId]),
    ]);
  });
}
