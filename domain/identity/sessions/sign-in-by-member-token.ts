import type { Database, Tx } from '../../../db/database.js';
import { findMemberRole } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { hashMemberToken, isWellFormedMemberToken } from '../member-tokens/member-token.js';
import { hasGrown, mayHaveToken } from '../member-tokens/token-grants.js';
import type { AnonymousContext } from './anonymous-context.js';
import { type BegunSession, beginSession, loginRefused } from './begin-session.js';

/**
 * Exchanges a member token, once, for a session of that member in that workspace. It is not a session of an account,
 * even if the member has one, because a token does not prove to be that person. Refused if the member or its account is
 * disabled, or if the role of the member has gained a permission since the token was created.
 *
 * @throws Unauthenticated `login_refused`
 */
export async function signInByMemberToken(context: AnonymousContext, token: string): Promise<BegunSession> {
  const { db, clock } = context;
  if (!isWellFormedMemberToken(token)) throw loginRefused();
  const hash = hashMemberToken(token);
  const workspaceId = await db.identity.memberTokens.workspaceOf(hash);
  if (workspaceId === undefined) throw loginRefused();

  return db.inWorkspace(workspaceId, async (tx) => {
    const used = await db.identity.memberTokens.use(hash, clock.now(), tx);
    const member = used === undefined ? undefined : await findMember(tx, used.memberId);
    if (used === undefined || member === undefined || member.disabledAt !== null) throw loginRefused();
    const role = await findMemberRole(tx, member.memberRoleId);
    if (role === undefined || !mayHaveToken(member, role)) throw loginRefused();
    const { roleGrants, granted, apiKeyId } = used;
    if (hasGrown(roleGrants, role.permissions) || (await isKeptOut(db, tx, member.id))) throw loginRefused();
    const owner = { accountId: null, workspaceId, memberId: member.id };
    return beginSession(context, tx, owner, { roleGrants, granted, apiKeyId });
  });
}

/** Whether the account behind a member is disabled. */
async function isKeptOut(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  memberId: number,
): Promise<boolean> {
  const membership = await identity.memberships.findByMember(tx.workspaceId, memberId, tx);
  const account =
    membership === undefined ? undefined : await identity.accounts.findById(membership.accountId, tx);
  return account?.enabled === false;
}
