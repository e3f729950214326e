import type { ApiKeyRow } from '../../db/identity/api-keys.js';
import type { AccountContext } from '../accounts/account-context.js';
import { requireApiKey } from './require-api-key.js';

/** Gives one of the caller's keys another name. What a key may do never changes. @throws NotFound */
export async function renameApiKey(context: AccountContext, id: number, name: string): Promise<ApiKeyRow> {
  const key = await requireApiKey(context, id);
  await context.db.identity.apiKeys.rename(id, name);
  return { ...key, name };
}
