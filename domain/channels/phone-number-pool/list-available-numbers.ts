import type { PoolNumberRow, PoolNumberSort } from '../../../db/identity/phone-number-pool.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** Lists the numbers that the workspace can take from the pool. @throws Forbidden */
export async function listAvailableNumbers(
  { actor, db }: CommandContext,
  page: PageRequest<PoolNumberSort>,
): Promise<PageOf<PoolNumberRow>> {
  actor.require('phone_numbers:write');
  return db.identity.phoneNumberPool.listAvailable(actor.workspaceId, page);
}
