import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockForRetirement, writeRetirement } from './record-retirement.js';

/**
 * Retires a record, with an optional reason. It disappears from lists, frees the member's place in a type that holds
 * one record for each member, and can be read but not changed. A record that is already retired stays as it is.
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
