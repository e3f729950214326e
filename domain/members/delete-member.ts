import { lockMemberRoles } from '../../db/queries/member-roles.js';
import { lockMember, markMemberDeleted } from '../../db/queries/members.js';
import { closeChatsOf } from '../chats/close-chats.js';
import type { CommandContext } from '../context.js';
import { Conflict, NotFound } from '../errors.js';
import { ensureManagerRemains, isManagerRole } from '../member-roles/last-manager.js';
import { requireCovers } from '../member-roles/role-grants.js';

/**
 * Takes a member out of the workspace. The row stays, so that chats, records and their changes stay readable; email,
 * phone and external id are free again, and an account behind the member has no way in any more. Its assignments are
 * cancelled, and nothing is sent to it any more (docs/decisions/0042).
 *
 * @throws NotFound, Forbidden, Conflict for the last admin and for assistants
 */
export async function deleteMember({ db, clock, actor }: CommandContext, id: number): Promise<void> {
  actor.require('members:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const roles = await lockMemberRoles(tx);
    const member = await lockMember(tx, id);
    if (member === undefined) throw new NotFound('Member');
    if (member.kind === 'assistant') {
      throw new Conflict('member_is_assistant', 'This member is an assistant: delete the assistant instead.');
    }
    const role = roles.find((candidate) => candidate.id === member.memberRoleId);
    if (role !== undefined) await requireCovers(tx, actor, role);
    const now = clock.now();
    await markMemberDeleted(tx, id, now);
    await db.identity.memberships.remove(actor.workspaceId, id, tx);
    const owner = { accountId: null, workspaceId: actor.workspaceId, memberId: id };
    await db.identity.sessions.endAll(owner, now, { tx });
    await closeChatsOf(tx, id, now);
    if (role !== undefined && isManagerRole(role)) await ensureManagerRemains(db, tx);
  });
}
