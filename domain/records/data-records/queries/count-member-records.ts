import { findMember } from '../../../../db/people/members.js';
import { countRecordsOfMember } from '../../../../db/records/data-records.js';
import { allDataTypes } from '../../../../db/records/data-types.js';
import type { CommandContext } from '../../../kernel/context.js';
import { NotFound } from '../../../lib/errors.js';
import { settleInOrder } from '../../../lib/settle-in-order.js';
import { accessModes, canReadAll } from '../record-access.js';

/**
 * Counts a member's records, without retired ones, by the id of each data type of which the caller may read all
 * records; of the caller's own records, those of every type that are not hidden.
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
      let seen = 0;
      for (const { dataTypeId, accessMode, count } of counted) {
        if (dataTypeId === type.id && (readsAll || accessMode !== accessModes.hidden)) seen += count;
      }
      counts.set(type.id, seen);
    }
    return counts;
  });
}
