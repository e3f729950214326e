import { findMemberRole } from '../../db/queries/member-roles.js';
import { lockMember } from '../../db/queries/members.js';
import type { CommandContext } from '../context.js';
import { Conflict, NotFound } from '../errors.js';
import { requireCovers } from '../member-roles/role-grants.js';
import { maySignInByToken } from './may-sign-in-by-token.js';
import { createMemberToken, memberTokenLifetimeMs } from './member-token.js';

const keptAfterwardsMs = 24 * 3_600_000;

/**
 * Makes a token by which a member signs in, once, as that member in this workspace. Whoever makes it could act as the
 * member: so their own role has to cover the member's.
 *
 * @throws Forbidden, NotFound, Conflict `member_is_admin`
 */
export async function issueMemberToken(
  { db, clock, actor }: CommandContext,
  memberId: number,
): Promise<{ token: string; expiresAt: Date }> {
  actor.require('account:create');
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + memberTokenLifetimeMs);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    if (!(await maySignInByToken(tx, member))) {
      throw new Conflict('member_is_admin', 'Only people without an admin role sign in by a token.');
    }
    const role = await findMemberRole(tx, member.memberRoleId);
    if (role !== undefined) await requireCovers(tx, actor, role);
    const { token, hash } = createMemberToken();
    await db.identity.memberTokens.insert({ hash, memberId, expiresAt, createdAt: now }, tx);
    await db.identity.memberTokens.removeExpired(new Date(now.getTime() - keptAfterwardsMs), tx);
    return { token, expiresAt };
  });
}
