import type { ServiceContext } from '../../kernel/context.js';

/**
 * Synchronizes the pool with the numbers of the setting. Numbers of an earlier setting are removed unless they are
 * assigned or in use; numbers that superusers added remain.
 */
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
