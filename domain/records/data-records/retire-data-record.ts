import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockForRetirement, writeRetirement } from './record-retirement.js';

/**
 * Takes a record out of use, for a reason that may be told: it leaves the lists and the member's one place, and is
 * changed no more, but stays to be read. Retired again, it stays as it is.
 *
 * @throws NotFound, Forbidden
 */
export async function retireDataRecord(
  context: CommandContext,
  dataTypeId: number,
  id: number,
  reason: string | null,
): Promise<DataRecordDetails> {
  const { db, actor, clock } = context;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { type, record } = await lockForRetirement(tx, context, dataTypeId, id);
    if (record.retiredAt !== null) return record;
    const now = clock.now();
    return writeRetirement(tx, context, type, {
      ...record,
      retiredAt: now,
      retiredByMemberId: actor.memberId,
      retiredReason: reason,
      updatedAt: now,
    });
  });
}
