import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { refuseLoginNumber } from './refuse-login-number.js';

/** Removes a number from the pool. @throws Forbidden, NotFound, Conflict if a workspace uses the number */
export async function removePoolNumber(context: AccountContext, id: number): Promise<void> {
  requireSuperuser(context);
  const { db } = context;
  await db.inIdentity(async (tx) => {
    const found = await db.identity.phoneNumberPool.lockById(id, tx);
    if (found === undefined) throw new NotFound('Phone number');
    refuseLoginNumber(found);
    if (found.usedByWorkspaceId !== null) {
      throw new Conflict('phone_number_in_use', 'The number is a phone number of a workspace.');
    }
    await db.identity.phoneNumberPool.remove(id, tx);
  });
}
