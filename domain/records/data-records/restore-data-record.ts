import type { Tx } from '../../../db/database.js';
import type { DataRecordDetails } from '../../../db/records/data-records.js';
import { withSavepoint } from '../../../db/savepoint.js';
import { isDeadlock, violatedConstraint } from '../../../db/violated-constraint.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InProgress } from '../../lib/errors.js';
import { lockForRetirement, writeRetirement } from './record-retirement.js';

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
      return despiteDeadlocks(tx, () => writeRetirement(tx, context, type, restored));
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'data_records_single_key') throw error;
    throw new Conflict(
      'record_place_taken',
      'The member now has another record of this type, which allows one per member.',
    );
  }
}

const mostRounds = 10;

/** Retries after deadlocks, which occur with concurrent writers of unique values. */
async function despiteDeadlocks<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  for (let round = 1; round <= mostRounds; round += 1) {
    try {
      return await withSavepoint(tx, work);
    } catch (error) {
      if (!isDeadlock(error)) throw error;
    }
  }
  throw new InProgress('record_contended', 'The record is being changed by someone else. Try again.');
}
