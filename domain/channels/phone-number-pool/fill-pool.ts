import type { ServiceContext } from '../../kernel/context.js';

/**
 * Makes the pool hold the numbers that the setting names. Numbers of an earlier setting go, unless they are assigned
 * or in use; numbers that superusers added stay.
 */
export async function fillPool({ db, clock }: ServiceContext, numbers: readonly string[]): Promise<void> {
  await db.inIdentity(async (tx) => {
    const pool = db.identity.phoneNumberPool;
    await pool.removeUnlisted(numbers, tx);
    // In one order, so that two processes that start at once do not wait for each other in a circle.
    for (const number of [...numbers].sort()) {
      await pool.add({ number, source: 'setting', createdAt: clock.now() }, tx);
    }
  });
}
