import type { DataRecordDetails } from '../../../db/records/data-records.js';
import { isDeadlock, violatedConstraint } from '../../../db/violated-constraint.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';
import { lockForRetirement, writeRetirement } from './record-retirement.js';
import { retryOnContention } from './writing/contention.js';

/**
 * Restores a retired record as it was. A record that is not retired stays as it is.
 *
 * @throws NotFound, Forbidden, Conflict `record_place_taken` if the type holds one record for each member and the
 *   member has another one by now, Conflict `record_value_taken` if another record has taken a unique value, InProgress
 *   `record_contended` if concurrent writes keep causing deadlocks
 */
export async function restoreDataRecord(
  context: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<DataRecordDetails> {
  const { db, actor, clock } = context;
  try {
    return await db.inWorkspace(actor.workspaceId, async (tx) => {
      const { type, record } = await lockForRetirement(tx, context, dataTypeId, id);
      if (record.retiredAt === null) return record;
      const restored = {
        ...record,
        retiredAt: null,
        retiredByMemberId: null,
        retiredReason: null,
        updatedAt: clock.now(),
      };
      return retryOnContention(tx, () => writeRetirement(tx, context, type, restored), isDeadlock);
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'data_records_single_key') throw error;
    throw new Conflict(
      'record_place_taken',
      'The member now has another record of this type, which allows one per member.',
    );
  }
}
