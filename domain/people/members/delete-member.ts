import type { Database } from '../../../db/database.js';
import { lockMemberRoles, type MemberRoleRow } from '../../../db/people/member-roles.js';
import { lockMember, type MemberRow, markMemberDeleted } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { closeChatsOf } from '../../assignments/close-chats.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, Forbidden, NotFound } from '../../lib/errors.js';
import { ensureManagerRemains, isManagerRole } from '../member-roles/last-manager.js';
import { requireCovers } from '../member-roles/role-grants.js';

/**
 * The row stays, for histories (docs/decisions/0042). @throws NotFound, Forbidden, Conflict for the last admin and for
 * assistants
 */
export async function deleteMember({ db, clock, actor }: CommandContext, id: number): Promise<void> {
  actor.require('members:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { member, role } = await lockMemberAndRoles(tx, id);
    if (member.kind === 'assistant') {
      throw new Conflict('member_is_assistant', 'This member is an assistant. Delete the assistant instead.');
    }
    if (role !== undefined) await requireCovers(tx, actor, role);
    await removeMember(db, tx, { id, role }, clock.now());
    recordAudit(tx, { clock, actor }, 'member:deleted', { subject: ['member', id] });
  });
}

/**
 * Removes the caller, by a session: an API key cannot end its owner's membership. @throws Forbidden, NotFound, Conflict
 */
export async function leaveWorkspace({ db, clock, actor }: CommandContext): Promise<void> {
  if (actor.credential.kind !== 'session') {
    throw new Forbidden('a session', 'Leaving a workspace requires a session.', 'session_required');
  }
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { role } = await lockMemberAndRoles(tx, actor.memberId);
    await removeMember(db, tx, { id: actor.memberId, role }, clock.now());
    recordAudit(tx, { clock, actor }, 'member:deleted', { subject: ['member', actor.memberId] });
  });
}

/** Locks the roles, then a member. @throws NotFound */
export async function lockMemberAndRoles(
  tx: Tx,
  id: number,
): Promise<{ member: MemberRow; role: MemberRoleRow | undefined }> {
  const roles = await lockMemberRoles(tx);
  const member = await lockMember(tx, id);
  if (member === undefined) throw new NotFound('Member');
  return { member, role: roles.find((role) => role.id === member.memberRoleId) };
}

/** Removes a locked member; the roles are locked. @throws Conflict for the last admin */
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
  await db.identity.siteVisitors.endAllOf([{ workspaceId: tx.workspaceId, memberId: id }], now, tx);
  await closeChatsOf(tx, id, now);
  if (role !== undefined && isManagerRole(role)) await ensureManagerRemains(db, tx);
}
