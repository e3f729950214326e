import { findMemberRole } from '../../../db/people/member-roles.js';
import { lockMember } from '../../../db/people/members.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { requireCovers } from '../../people/member-roles/role-grants.js';
import { ssoOnlyWorkspace } from '../single-sign-on/sso-only.js';
import { mintMemberToken } from './member-token.js';
import { grantsFor, mayHaveToken, memberIsAdmin } from './token-grants.js';

/**
 * Creates a token that signs a member in once; the caller's role covers the member's. @throws Forbidden, NotFound,
 * Conflict
 */
export async function issueMemberToken(
  { db, clock, actor }: CommandContext,
  memberId: number,
): Promise<{ token: string; expiresAt: Date }> {
  actor.require('members:impersonate');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    if (await db.identity.organizations.isSsoOnly(actor.workspaceId, tx)) throw ssoOnlyWorkspace();
    const member = await lockMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    const role = await findMemberRole(tx, member.memberRoleId);
    if (role === undefined || !mayHaveToken(member, role)) throw memberIsAdmin();
    await requireCovers(tx, actor, role);
    recordAudit(tx, { clock, actor }, 'member_token:created', { subject: ['member', memberId] });
    return mintMemberToken(db, tx, memberId, grantsFor(actor, role), clock.now());
  });
}
