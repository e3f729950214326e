import type { AnonymousContext } from './anonymous-context.js';
import { hashSessionToken, isWellFormedSessionToken } from './session-token.js';

/** Ends the session of the browser, if it has one. */
export async function signOut({ db, clock, visitor }: AnonymousContext): Promise<void> {
  const token = visitor.sessionToken;
  if (token === undefined || !isWellFormedSessionToken(token)) return;
  await db.identity.sessions.endByHash(hashSessionToken(token), clock.now());
}
