import type { AccountRow } from '../../db/identity/accounts.js';
import { Conflict, NotFound } from '../errors.js';
import type { AccountContext } from './account-context.js';
import { requireSuperuser } from './require-superuser.js';

/**
 * Lets an account in, or keeps it out: a disabled one's keys and sessions are refused from the next request on, and it
 * is sent no codes. Its sessions are ended for good, its keys work again once it is enabled.
 *
 * @throws Forbidden, NotFound, Conflict for one's own account
 */
export async function setAccountEnabled(
  context: AccountContext,
  accountUuid: string,
  enabled: boolean,
): Promise<AccountRow> {
  requireSuperuser(context);
  const { db, clock, account: superuser } = context;
  return db.inIdentity(async (tx) => {
    const account = await db.identity.accounts.lockByUuid(accountUuid, tx);
    if (account === undefined) throw new NotFound('Account');
    if (account.id === superuser.id) {
      throw new Conflict('own_account', 'Nobody enables or disables their own account.');
    }
    const now = clock.now();
    if (!enabled) {
      const owner = { accountId: account.id, workspaceId: null, memberId: null };
      await db.identity.sessions.endAll(owner, now, { tx });
    }
    const changed = await db.identity.accounts.update(account.id, { enabled, updatedAt: now }, tx);
    if (changed === undefined) throw new NotFound('Account');
    return changed;
  });
}
