import type { Database, Tx } from '../../../db/database.js';
import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import { markMemberDeleted } from '../../../db/people/members.js';
import { closeChatsOf } from '../../assignments/close-chats.js';
import { ensureManagerRemains, isManagerRole } from '../member-roles/last-manager.js';

/**
 * Takes a member, who is locked, out of the workspace: the account loses its way in, sessions end, chats are closed. The
 * caller holds the roles.
 *
 * @throws Conflict for the last admin
 */
export async function removeMember(
  db: Database,
  tx: Tx,
  { id, role }: { id: number; role: MemberRoleRow | undefined },
  now: Date,
): Promise<void> {
  await markMemberDeleted(tx, id, now);
  await db.identity.memberships.remove(tx.workspaceId, id, tx);
  const owner = { accountId: null, workspaceId: tx.workspaceId, memberId: id };
  await db.identity.sessions.endAll(owner, now, { tx });
  await closeChatsOf(tx, id, now);
  if (role !== undefined && isManagerRole(role)) await ensureManagerRemains(db, tx);
}
