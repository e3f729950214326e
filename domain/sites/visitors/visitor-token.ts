import { createHash, randomBytes } from 'node:crypto';

const prefix = 'wvt_';
const form = /^wvt_[A-Za-z0-9_-]{43}$/;
const day = 86_400_000;

/** How long a token lasts: until the first message, after it without use, and at most. */
const lifetimes = { unusedMs: day, idleMs: 30 * day, maxMs: 90 * day };

/** The use of a token is recorded no more often than this, so that reads do not each cost a write. */
export const useNotedEveryMs = 3_600_000;

/** Creates a token of 256 random bits. Only its hash is stored. */
export function createVisitorToken(): { token: string; hash: Buffer } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashVisitorToken(token) };
}

/** Checks the form, without a database query. */
export function isWellFormedVisitorToken(text: string): boolean {
  return form.test(text);
}

/** A fast hash is sufficient, because 256 random bits cannot be guessed. */
export function hashVisitorToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** When the token of a visitor who has not written ends. */
export function endOfUnused(now: Date): Date {
  return new Date(now.getTime() + lifetimes.unusedMs);
}

/** When the token of a visitor who has written ends, unless it is used again. */
export function endAfterUse({ createdAt }: { createdAt: Date }, now: Date): Date {
  return new Date(Math.min(now.getTime() + lifetimes.idleMs, createdAt.getTime() + lifetimes.maxMs));
}
