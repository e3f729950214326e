import { lockMemberRoles } from '../../../db/people/member-roles.js';
import { lockMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { requireCovers } from '../member-roles/role-grants.js';
import { removeMember } from './remove-member.js';

/**
 * Removes a member from the workspace. The row stays, so that chats, records and their history remain readable. Email,
 * phone and external id become free, the account behind the member loses access, assignments are cancelled, and no more
 * messages are sent to the member (docs/decisions/0042).
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
      throw new Conflict('member_is_assistant', 'This member is an assistant. Delete the assistant instead.');
    }
    const role = roles.find((candidate) => candidate.id === member.memberRoleId);
    if (role !== undefined) await requireCovers(tx, actor, role);
    await removeMember(db, tx, { id, role }, clock.now());
  });
}
