import type { Database, Tx } from '../../db/database.js';
import { findMember } from '../../db/queries/members.js';
import { maySignInByToken } from '../member-tokens/may-sign-in-by-token.js';
import { hashMemberToken, isWellFormedMemberToken } from '../member-tokens/member-token.js';
import { type BegunSession, beginSession } from './begin-session.js';
import { loginRefused } from './sign-in-by-code.js';
import type { VisitorContext } from './visitor-context.js';

/**
 * Exchanges a member token, once, for a session of that member in that workspace. It is no session of an account, even
 * where the member has one: nobody proved to be that person. One that is disabled keeps the member out all the same.
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
    if (await isKeptOut(db, tx, member.id)) throw loginRefused();
    return beginSession(context, tx, { accountId: null, workspaceId, memberId: member.id });
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
