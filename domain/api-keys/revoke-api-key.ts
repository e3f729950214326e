import type { AccountContext } from '../accounts/account-context.js';
import { requireApiKey } from './require-api-key.js';

/** Ends one of the caller's keys for good, the one it calls with included. @throws NotFound */
export async function revokeApiKey(context: AccountContext, id: number): Promise<void> {
  await requireApiKey(context, id);
  await context.db.identity.apiKeys.revoke(id, context.clock.now());
}
