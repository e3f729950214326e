import { findMember } from '../../../../db/people/members.js';
import { countRecordsOfMember } from '../../../../db/records/data-records.js';
import { allDataTypes } from '../../../../db/records/data-types.js';
import type { CommandContext } from '../../../kernel/context.js';
import { NotFound } from '../../../lib/errors.js';
import { settleInOrder } from '../../../lib/settle-in-order.js';
import { accessModes, canReadAll } from '../record-access.js';

/**
 * Counts a member's records of each data type, by the type's id, without retired ones. Includes only types of which the
 * caller may read all records; callers who count their own records get every type, without hidden records.
 *
 * @throws NotFound for the member
 */
export async function countMemberRecords(
  { db, actor }: CommandContext,
  memberId: number,
): Promise<ReadonlyMap<number, number>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [member, types, counted] = await settleInOrder(
      findMember(tx, memberId),
      allDataTypes(tx),
      countRecordsOfMember(tx, memberId),
    );
    if (member === undefined) throw new NotFound('Member');
    const counts = new Map<number, number>();
    for (const type of types) {
      const readsAll = canReadAll(actor, type);
      if (!readsAll && memberId !== actor.memberId) continue;
      const seen = counted
        .filter(({ dataTypeId }) => dataTypeId === type.id)
        .filter(({ accessMode }) => readsAll || accessMode !== accessModes.hidden);
      counts.set(
        type.id,
        seen.reduce((sum, { count }) => sum + count, 0),
      );
    }
    return counts;
  });
}
