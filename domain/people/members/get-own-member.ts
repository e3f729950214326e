import { findMemberRole, type MemberRoleRow } from '../../../db/people/member-roles.js';
import { findMemberDetails, type MemberDetails } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

export interface OwnMember {
  member: MemberDetails;
  role: MemberRoleRow;
  permissions: string[];
}

/** Returns the caller's member with its role and the permissions in force. @throws NotFound */
export async function getOwnMember({ db, actor }: CommandContext): Promise<OwnMember> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const member = await findMemberDetails(tx, actor.memberId);
    const role = await findMemberRole(tx, actor.memberRoleId);
    if (member === undefined || role === undefined) throw new NotFound('Member');
    return { member, role, permissions: actor.permissionsInForce() };
  });
}
