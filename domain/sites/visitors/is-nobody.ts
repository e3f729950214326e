import type { Database } from '../../../db/database.js';
import type { MemberRow } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';

/** Whether nothing is known of a member that says who it is, and nobody signs in as it. */
export async function isNobody(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  { id, kind, email, phone, externalId }: MemberRow,
): Promise<boolean> {
  if (kind !== 'human' || email !== null || phone !== null || externalId !== null) return false;
  return (await identity.memberships.findByMember(tx.workspaceId, id, tx)) === undefined;
}
