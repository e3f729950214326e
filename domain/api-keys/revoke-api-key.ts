import type { AccountContext } from '../accounts/account-context.js';
import { requireManagedKey } from './managed-key.js';

/**
 * Ends a key for good, the one it is called with included, and everything that was made with it: keys, and keys made with
 * those.
 *
 * @throws NotFound, Forbidden
 */
export async function revokeApiKey(context: AccountContext, id: number): Promise<void> {
  const { db, clock } = context;
  await db.inIdentity(async (tx) => {
    await requireManagedKey(context, id, tx);
    await db.identity.apiKeys.revokeTree(id, clock.now(), tx);
  });
}
