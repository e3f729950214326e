import { isOpen, useNotedEveryMs } from '../../domain/identity/sessions/session-lifetime.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';

/** The columns that both look-ups of a session return. */
interface StoredSession {
  id: number;
  lastUsedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  /** Whether the session was begun with a member token. */
  ofMember: boolean;
}

/**
 * Checks a session that was found, and records its use without delaying the request.
 * @param accountEnabled whether the account behind it is enabled; null if a member has none
 * @throws Unauthenticated
 */
export function acceptSession(
  { db, clock }: ServiceContext,
  session: StoredSession,
  accountEnabled: boolean | null,
): void {
  const now = clock.now();
  if (!isOpen(session, now) || accountEnabled === false) throw new Unauthenticated();

  const noteUnlessSince = new Date(now.getTime() - useNotedEveryMs);
  if (session.lastUsedAt <= noteUnlessSince) {
    // The request neither waits for this update nor fails with it: the next request repeats it.
    db.identity.sessions.touch(session.id, now, noteUnlessSince).catch(() => {});
  }
}
