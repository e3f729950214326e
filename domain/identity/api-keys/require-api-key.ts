import type { IdentityTx } from '../../../db/database.js';
import type { ApiKeyRow } from '../../../db/identity/api-keys.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { NotFound } from '../../lib/errors.js';

/**
 * One of the caller's own keys. A credential that is good for one workspace only sees the keys that are good for
 * that one only: it must not reach further through them.
 *
 * @throws NotFound
 */
export async function requireApiKey(
  { db, account, credential }: AccountContext,
  id: number,
  tx?: IdentityTx,
): Promise<ApiKeyRow> {
  const key = await db.identity.apiKeys.findForAccount(account.id, id, tx);
  const visible = credential.workspaceId === null || key?.workspaceId === credential.workspaceId;
  if (key === undefined || !visible) throw new NotFound('API key');
  return key;
}
