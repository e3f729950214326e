import type { AnyTx } from '../../../db/database.js';
import type { NewSession, SessionOwner, SessionRow } from '../../../db/identity/sessions.js';
import { Unauthenticated } from '../../lib/errors.js';
import type { AnonymousContext } from './anonymous-context.js';
import { latestEnd } from './session-lifetime.js';
import { createSessionToken, hashSessionToken, isWellFormedSessionToken } from './session-token.js';
import { summarizeUserAgent } from './summarize-user-agent.js';

/** A new session, and the token for its cookie. */
export interface BegunSession {
  session: SessionRow;
  token: string;
  /** The new device cookie of the browser, if a code was proved in it. */
  deviceToken?: string;
}

const keptAfterwardsMs = 30 * 86_400_000;

/**
 * Begins a session under a new id, in the transaction that has authenticated the caller. Ends the previous session of
 * the browser, so that an id planted by an attacker is useless (session fixation).
 */
export async function beginSession(
  { db, clock, visitor }: AnonymousContext,
  tx: AnyTx,
  owner: SessionOwner,
  grants: Pick<NewSession, 'roleGrants' | 'granted' | 'apiKeyId'> = {},
): Promise<BegunSession> {
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
export function loginRefused(): Unauthenticated {
  return new Unauthenticated('The code or token is wrong, used or no longer valid.', 'login_refused');
}
