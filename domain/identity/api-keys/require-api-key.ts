import type { IdentityTx } from '../../../db/database.js';
import type { ApiKeyRow } from '../../../db/identity/api-keys.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { NotFound } from '../../lib/errors.js';

/**
 * A key of the caller. A credential that is restricted to one workspace sees only keys with the same restriction, so
 * that it cannot extend its reach through other keys.
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
