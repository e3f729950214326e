import { findMember } from '../../db/queries/members.js';
import { maySignInByToken } from '../member-tokens/may-sign-in-by-token.js';
import { hashMemberToken, isWellFormedMemberToken } from '../member-tokens/member-token.js';
import { type BegunSession, beginSession } from './begin-session.js';
import { loginRefused } from './sign-in-by-code.js';
import type { VisitorContext } from './visitor-context.js';

/**
 * Exchanges a member token, once, for a session of that member in that workspace. It is no session of an account, even
 * where the member has one: nobody proved to be that person.
 *
 * @throws Unauthenticated `login_refused`
 */
export async function signInByMemberToken(context: VisitorContext, token: string): Promise<BegunSession> {
  const { db, clock } = context;
  if (!isWellFormedMemberToken(token)) throw loginRefused();
  const hash = hashMemberToken(token);
  const workspaceId = await db.identity.memberTokens.workspaceOf(hash);
  if (workspaceId === undefined) throw loginRefused();

  return db.inWorkspace(workspaceId, async (tx) => {
    const memberId = await db.identity.memberTokens.use(hash, clock.now(), tx);
    const member = memberId === undefined ? undefined : await findMember(tx, memberId);
    if (member === undefined || !(await maySignInByToken(tx, member))) throw loginRefused();
    return beginSession(context, tx, { accountId: null, workspaceId, memberId: member.id });
  });
}
