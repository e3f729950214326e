import type { IdentityTx } from '../../db/database.js';
import type { LoginLimit } from '../../db/identity/login-limits.js';
import type { ServiceContext } from '../context.js';
import { TooManyRequests } from '../errors.js';

const hour = 3_600_000;

/** Wrong tries at one code. */
export const mostWrongTries = 5;

/** Six digits bear so many guesses: at most 20 a day at one address, which is once in 137 years (decision 27). */
export const loginLimits = {
  codesPerIdentifier: { most: 5, withinMs: hour },
  codesPerAddress: { most: 30, withinMs: hour },
  wrongTriesPerIdentifier: { most: 20, withinMs: 24 * hour },
  wrongTriesPerAddress: { most: 50, withinMs: hour },
} as const satisfies Record<string, LoginLimit>;

/** One more of something that is counted: who by, and how much of it there may be. */
export interface Counted {
  key: Buffer;
  limit: LoginLimit;
}

/**
 * Counts each, in this order, until one is too much.
 * @returns the error to throw once the transaction is over, so that what was counted stays counted
 */
export async function countAll(
  { db, clock }: ServiceContext,
  tx: IdentityTx,
  counted: readonly Counted[],
): Promise<TooManyRequests | undefined> {
  const now = clock.now();
  for (const { key, limit } of counted) {
    const freeAt = await db.identity.loginLimits.take(key, limit, now, tx);
    if (freeAt === undefined) continue;
    const seconds = Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1_000));
    return new TooManyRequests('There were too many attempts to sign in.', seconds);
  }
  return undefined;
}
