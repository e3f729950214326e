import type { ServiceContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';

/** Synchronizes the pool with the setting. Numbers that are assigned, in use or added by superusers remain. */
export async function fillPool({ db, clock }: ServiceContext, numbers: readonly string[]): Promise<void> {
  await db.inIdentity(async (tx) => {
    const pool = db.identity.phoneNumberPool;
    await pool.removeUnlisted(numbers, tx);
    // Sorted, so that two processes that start at the same time do not deadlock.
    for (const number of [...numbers].sort()) {
      await pool.add({ number, source: 'setting', createdAt: clock.now() }, tx);
    }
  });
}

/**
 * Reserves the number that login codes are sent from, because replies to a code must not reach a tenant. A sender that
 * is no phone number cannot receive replies. @throws Conflict `login_number_assigned` if a workspace has the number
 */
export async function reserveLoginNumber(
  { db, clock }: ServiceContext,
  sender: string | undefined,
): Promise<void> {
  const number = sender?.startsWith('+') ? sender : undefined;
  await db.inIdentity(async (tx) => {
    const pool = db.identity.phoneNumberPool;
    if (number !== undefined) {
      await pool.add({ number, source: 'setting', createdAt: clock.now() }, tx);
      const found = await pool.lockByNumber(number, tx);
      if (found === undefined || (found.workspaceId ?? found.usedByWorkspaceId) !== null) {
        throw new Conflict('login_number_assigned', 'The number belongs to a workspace.');
      }
      await pool.reserveForLoginCodes(found.id, tx);
    }
    await pool.releaseLoginCodeNumbers(number, tx);
  });
}
