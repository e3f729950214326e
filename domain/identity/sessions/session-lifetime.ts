import type { SessionRow } from '../../../db/identity/sessions.js';

const day = 86_400_000;
/** How long a session lasts without use, and in all. A member's session began with a token, which proves nothing. */
const lifetimes = {
  account: { idleMs: 14 * day, longestMs: 90 * day },
  member: { idleMs: 3 * day, longestMs: 14 * day },
};

/** Its use is noted no more often than this, so that reading costs no write. */
export const useNotedEveryMs = 3_600_000;

type Times = Pick<SessionRow, 'lastUsedAt' | 'expiresAt' | 'endedAt'>;

/** Whose session it is. */
interface Kind {
  ofMember: boolean;
}

/** When a session that begins now ends however much it is used. */
export function latestEnd(now: Date, kind: Kind): Date {
  return new Date(now.getTime() + lifetimeOf(kind).longestMs);
}

/** Sessions that nobody used since are over. */
export function idleSince(now: Date, kind: Kind): Date {
  return new Date(now.getTime() - lifetimeOf(kind).idleMs);
}

/** When it ends unless it is used again. */
export function endOf({ lastUsedAt, expiresAt, ...kind }: Omit<Times, 'endedAt'> & Kind): Date {
  return new Date(Math.min(lastUsedAt.getTime() + lifetimeOf(kind).idleMs, expiresAt.getTime()));
}

export function isOpen(session: Times & Kind, now: Date): boolean {
  return session.endedAt === null && endOf(session) > now;
}

function lifetimeOf({ ofMember }: Kind): { idleMs: number; longestMs: number } {
  return ofMember ? lifetimes.member : lifetimes.account;
}
