import { isOpen, useNotedEveryMs } from '../../domain/identity/sessions/session-lifetime.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';

/** What is common to both look-ups of a session. */
interface StoredSession {
  id: number;
  lastUsedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  /** Whether it was made of a member token. */
  ofMember: boolean;
}

/**
 * Takes a found session as good, and notes its use beside the request.
 * @param accountEnabled of the account behind it; null where a member has none
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
    // A request does not wait for it, or fail by it: the next one notes it.
    db.identity.sessions.touch(session.id, now, noteUnlessSince).catch(() => {});
  }
}
