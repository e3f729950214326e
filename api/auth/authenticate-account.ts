import type { IncomingHttpHeaders } from 'node:http';
import type { AccountRow } from '../../db/identity/accounts.js';
import type { AccountCredential } from '../../domain/accounts/account-context.js';
import type { ServiceContext } from '../../domain/context.js';
import { Unauthenticated } from '../../domain/errors.js';
import { acceptApiKey, apiKeyHash } from './api-key.js';
import { bearerToken } from './bearer.js';

/**
 * Who is calling, over all workspaces. Further kinds of credentials stand beside the API key here, told apart
 * by their prefix.
 *
 * @throws Unauthenticated
 */
export async function authenticateAccount(
  service: ServiceContext,
  headers: IncomingHttpHeaders,
): Promise<{ account: AccountRow; credential: AccountCredential }> {
  const found = await service.db.identity.apiKeys.findByHash(apiKeyHash(bearerToken(headers)));
  if (found === undefined) throw new Unauthenticated();
  const { key, account } = found;
  acceptApiKey(service, key, account.enabled);
  return {
    account,
    credential: { kind: 'api_key', id: key.id, scopes: new Set(key.scopes), workspaceId: key.workspaceId },
  };
}
