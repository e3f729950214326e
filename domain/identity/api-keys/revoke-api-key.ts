import type { AccountContext } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { requireManagedKey } from './own-keys.js';

/** Revokes a key for good, with the keys, member tokens and sessions made with it. @throws NotFound, Forbidden */
export async function revokeApiKey(context: AccountContext, id: number): Promise<void> {
  const { db, clock, account, credential } = context;
  await db.inIdentity(async (tx) => {
    await requireManagedKey(context, id, tx);
    const { apiKeys, memberTokens, sessions } = db.identity;
    const now = clock.now();
    const ids = await apiKeys.revokeTree(id, now, tx);
    recordAccountAudit(tx, { now, credential }, account.id, 'api_key:revoked', { subject: ['api_key', id] });
    // Remove the tokens first: one that is being used concurrently has become a session by then.
    await memberTokens.removeUnusedOfKeys(ids, tx);
    await sessions.endAllOfKeys(ids, now, tx);
  });
}
