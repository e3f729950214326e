import type { Database } from '../../../db/database.js';
import type { SessionRow } from '../../../db/identity/models/session.js';
import type { NewSession, SessionOwner } from '../../../db/identity/sessions.js';
import { findMemberRole } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import type { AnyTx, Tx } from '../../../db/tx.js';
import { recordAccountAudit, recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import { Unauthenticated } from '../../lib/errors.js';
import { summarizeUserAgent } from '../../lib/summarize-user-agent.js';
import { rememberDevice } from '../login-codes/known-device.js';
import { tryLoginCode } from '../login-codes/try-login-code.js';
import { hashMemberToken, isWellFormedMemberToken } from '../member-tokens/member-token.js';
import { hasGrown, mayHaveToken } from '../member-tokens/token-grants.js';
import type { AnonymousContext } from './anonymous-context.js';
import { latestEnd } from './session-lifetime.js';
import { createSessionToken, hashSessionToken, isWellFormedSessionToken } from './session-token.js';
import { verifyAddress } from './verify-address.js';

/** An address that only members have gets an account. @throws Unauthenticated `login_refused`, TooManyRequests */
export async function signInByCode(
  context: AnonymousContext,
  input: { loginCodeUuid: string; code: string },
): Promise<StartedSession> {
  const { clock, secret, visitor } = context;
  return tryLoginCode(context, {
    loginCodeUuid: input.loginCodeUuid,
    digits: input.code,
    isMeant: ({ forAccountId }) => forAccountId === null,
    refused: loginRefused,
    async use(tx, within, code) {
      const account = await verifyAddress(context, tx, within, code);
      if (account === undefined) return undefined;
      const owner = { accountId: account.id, workspaceId: null, memberId: null };
      const begun = await beginSession(context, tx, owner);
      const by = { now: clock.now(), source: visitor };
      recordAccountAudit(tx, by, account.id, 'session:begun', { subject: ['session', begun.session.id] });
      const deviceToken = rememberDevice(secret, visitor.deviceToken, code.identifierHash, clock.now());
      return { ...begun, deviceToken };
    },
  });
}

/**
 * Begins a session of the member, not of its account: a token proves nothing. @throws Unauthenticated `login_refused`
 */
export async function signInByMemberToken(context: AnonymousContext, token: string): Promise<StartedSession> {
  const { db, clock } = context;
  if (!isWellFormedMemberToken(token)) throw loginRefused();
  const hash = hashMemberToken(token);
  const workspaceId = await db.identity.memberTokens.workspaceOf(hash);
  if (workspaceId === undefined) throw loginRefused();

  return db.inWorkspace(workspaceId, async (tx) => {
    if (await db.identity.organizations.isSsoOnly(workspaceId, tx)) throw loginRefused();
    const used = await db.identity.memberTokens.use(hash, clock.now(), tx);
    const member = used === undefined ? undefined : await findMember(tx, used.memberId);
    if (used === undefined || member === undefined || member.disabledAt !== null) throw loginRefused();
    const role = await findMemberRole(tx, member.memberRoleId);
    if (role === undefined || !mayHaveToken(member, role)) throw loginRefused();
    const { roleGrants, granted, sealedAt, apiKeyId } = used;
    if (hasGrown(roleGrants, role.permissions) || (await isKeptOut(db, tx, member.id))) throw loginRefused();
    const owner = { accountId: null, workspaceId, memberId: member.id };
    const begun = await beginSession(context, tx, owner, { roleGrants, granted, sealedAt, apiKeyId });
    recordAuditOfNobody(tx, { now: clock.now(), source: context.visitor }, 'session:begun', {
      subject: ['session', begun.session.id],
      actorMemberId: member.id,
    });
    return begun;
  });
}

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

/** A new session, and the token for its cookie. */
export interface StartedSession {
  session: SessionRow;
  token: string;
  /** The new device cookie of the browser, if a code was proved in it. */
  deviceToken?: string;
}

const keptAfterwardsMs = 30 * 86_400_000;

/** Begins a session under a new id and ends the browser's previous one, so that a planted id is useless. */
export async function beginSession(
  { db, clock, visitor }: AnonymousContext,
  tx: AnyTx,
  owner: SessionOwner,
  grants: Pick<NewSession, 'roleGrants' | 'granted' | 'sealedAt' | 'apiKeyId'> = {},
): Promise<StartedSession> {
  const { sessions } = db.identity;
  const now = clock.now();
  if (visitor.sessionToken !== undefined && isWellFormedSessionToken(visitor.sessionToken)) {
    await sessions.endByHash(hashSessionToken(visitor.sessionToken), now, tx);
  }
  await sessions.removeExpired(new Date(now.getTime() - keptAfterwardsMs), tx);
  const { token, hash } = createSessionToken();
  const userAgent = summarizeUserAgent(visitor.userAgent);
  const expiresAt = latestEnd(now, { ofMember: owner.memberId !== null });
  const session = await sessions.insert(
    { ...owner, ...grants, hash, userAgent, createdAt: now, expiresAt },
    tx,
  );
  return { session, token };
}

/** The error for every failed sign-in, which does not reveal the reason. */
function loginRefused(): Unauthenticated {
  return new Unauthenticated('The code or token is wrong, used or no longer valid.', 'login_refused');
}
