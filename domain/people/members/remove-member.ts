import type { Database, Tx } from '../../../db/database.js';
import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import { markMemberDeleted } from '../../../db/people/members.js';
import { closeChatsOf } from '../../assignments/close-chats.js';
import { ensureManagerRemains, isManagerRole } from '../member-roles/last-manager.js';

/**
 * Removes a locked member from the workspace: its account loses access, its sessions end and its chats are closed. The
 * caller has locked the roles.
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
