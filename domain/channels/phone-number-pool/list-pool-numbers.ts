import type { PoolNumberRow, PoolNumberSort } from '../../../db/identity/phone-number-pool.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** Lists the pool, for superusers. @throws Forbidden */
export async function listPoolNumbers(
  context: AccountContext,
  query: PageRequest<PoolNumberSort> & { search?: string; workspaceUuid?: string; inUse?: boolean },
): Promise<PageOf<PoolNumberRow>> {
  requireSuperuser(context);
  return context.db.identity.phoneNumberPool.list(query, query);
}
