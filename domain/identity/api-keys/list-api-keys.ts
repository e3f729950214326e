import type { ApiKeyRow } from '../../../db/identity/api-keys.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { offsetOf, type PageOf, type PageRequest } from '../../lib/paging.js';

/** The keys of the caller, including revoked and expired ones. */
export async function listApiKeys(
  { db, account, credential }: AccountContext,
  page: PageRequest<'createdAt' | 'name'>,
): Promise<PageOf<ApiKeyRow>> {
  return db.identity.apiKeys.listForAccount(
    account.id,
    { sortBy: page.sortBy, sortOrder: page.sortOrder, limit: page.pageSize, offset: offsetOf(page) },
    credential.workspaceId,
  );
}
