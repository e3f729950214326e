import { lockMemberRoles } from '../../../db/people/member-roles.js';
import { lockMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { Forbidden, NotFound } from '../../lib/errors.js';
import { removeMember } from './remove-member.js';

/**
 * Removes the caller from the workspace, as if an admin had deleted the member. Requires a session, so that an API key
 * cannot end its owner's membership.
 *
 * @throws Forbidden, NotFound, Conflict for the last admin
 */
export async function leaveWorkspace({ db, clock, actor }: CommandContext): Promise<void> {
  if (actor.credential.kind !== 'session') {
    throw new Forbidden('a session', 'Leaving a workspace requires a session.', 'session_required');
  }
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const roles = await lockMemberRoles(tx);
    const member = await lockMember(tx, actor.memberId);
    if (member === undefined) throw new NotFound('Member');
    const role = roles.find(({ id }) => id === member.memberRoleId);
    await removeMember(db, tx, { id: member.id, role }, clock.now());
  });
}
