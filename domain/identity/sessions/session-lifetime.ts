import type { SessionRow } from '../../../db/identity/models/session.js';

const day = 86_400_000;
/** How long a session lasts without use, and at most. A member's token proves nothing, so its session is shorter. */
const lifetimes = {
  account: { idleMs: 14 * day, maxMs: 90 * day },
  member: { idleMs: 3 * day, maxMs: 14 * day },
};

/** The use of a session is recorded no more often than this, so that reads do not each cost a write. */
export const useNotedEveryMs = 3_600_000;

type Times = Pick<SessionRow, 'lastUsedAt' | 'expiresAt' | 'endedAt'>;

interface Kind {
  ofMember: boolean;
}

/** The latest end of a session that begins now, however much it is used. */
export function latestEnd(now: Date, kind: Kind): Date {
  return new Date(now.getTime() + lifetimeOf(kind).maxMs);
}

/** Sessions that were last used before this time are over. */
export function idleSince(now: Date, kind: Kind): Date {
  return new Date(now.getTime() - lifetimeOf(kind).idleMs);
}

/** When the session ends unless it is used again. */
export function endOf({ lastUsedAt, expiresAt, ...kind }: Omit<Times, 'endedAt'> & Kind): Date {
  return new Date(Math.min(lastUsedAt.getTime() + lifetimeOf(kind).idleMs, expiresAt.getTime()));
}

export function isOpen(session: Times & Kind, now: Date): boolean {
  return session.endedAt === null && endOf(session) > now;
}

function lifetimeOf({ ofMember }: Kind): { idleMs: number; maxMs: number } {
  return ofMember ? lifetimes.member : lifetimes.account;
}
