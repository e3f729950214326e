import type { ServiceContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';

/**
 * Keeps the number that login codes are sent from out of every workspace's reach: people answer it, and must not reach
 * a tenant. A sender that is no number cannot be answered: nothing is kept for it.
 *
 * @throws Conflict `login_number_assigned` where a workspace has it
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
