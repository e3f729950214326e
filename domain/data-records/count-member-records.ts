import { countRecordsOfMember } from '../../db/queries/data-records.js';
import { allDataTypes } from '../../db/queries/data-types.js';
import { findMember } from '../../db/queries/members.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import { inOrder } from '../in-order.js';
import { accessModes, canReadAll } from './record-access.js';

/**
 * How many records a member has of each data type, by the type's id, retired ones left out: of the types of which the
 * caller may read everyone's, and of oneself all that one sees.
 *
 * @throws NotFound for the member
 */
export async function countMemberRecords(
  { db, actor }: CommandContext,
  memberId: number,
): Promise<ReadonlyMap<number, number>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [member, types, counted] = await inOrder(
      findMember(tx, memberId),
      allDataTypes(tx),
      countRecordsOfMember(tx, memberId),
    );
    if (member === undefined) throw new NotFound('Member');
    const ofType = (dataTypeId: number, sees: (accessMode: number) => boolean) =>
      counted
        .filter((row) => row.dataTypeId === dataTypeId && sees(row.accessMode))
        .reduce((sum, { count }) => sum + count, 0);
    const counts = new Map<number, number>();
    for (const type of types) {
      if (canReadAll(actor, type))
        counts.set(
          type.id,
          ofType(type.id, () => true),
        );
      else if (memberId === actor.memberId) {
        counts.set(
          type.id,
          ofType(type.id, (accessMode) => accessMode !== accessModes.hidden),
        );
      }
    }
    return counts;
  });
}
