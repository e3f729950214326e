import type { SessionRow } from '../../db/identity/sessions.js';

const day = 86_400_000;
const idleMs = 14 * day;
const longestMs = 90 * day;

/** Its use is noted no more often than this, so that reading costs no write. */
export const useNotedEveryMs = 3_600_000;

type Times = Pick<SessionRow, 'lastUsedAt' | 'expiresAt' | 'endedAt'>;

/** When a session that begins now ends however much it is used. */
export function latestEnd(now: Date): Date {
  return new Date(now.getTime() + longestMs);
}

/** Sessions that nobody used since are over. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - idleMs);
}

/** When it ends unless it is used again. */
export function endOf({ lastUsedAt, expiresAt }: Omit<Times, 'endedAt'>): Date {
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, expiresAt.getTime()));
}

export function isOpen(session: Times, now: Date): boolean {
  return session.endedAt === null && endOf(session) > now;
}
