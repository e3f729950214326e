import type { AccountContext } from '../../kernel/account-context.js';
import { requireManagedKey } from './managed-key.js';

/**
 * Ends a key for good, the one it is called with included, and everything that was made with it: keys, keys made with
 * those, member tokens and the sessions begun by them.
 *
 * @throws NotFound, Forbidden
 */
export async function revokeApiKey(context: AccountContext, id: number): Promise<void> {
  const { db, clock } = context;
  await db.inIdentity(async (tx) => {
    await requireManagedKey(context, id, tx);
    const { apiKeys, memberTokens, sessions } = db.identity;
    const now = clock.now();
    const ids = await apiKeys.revokeTree(id, now, tx);
    // In this order: a token that is being used has become a session then.
    await memberTokens.removeUnusedOfKeys(ids, tx);
    await sessions.endAllOfKeys(ids, now, tx);
  });
}
