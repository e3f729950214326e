import type { WorkspaceRow } from '../../../db/identity/workspaces.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { offsetOf, type PageOf, type PageRequest } from '../../lib/paging.js';

/** The workspaces in which the caller is a member and for which its credential is valid. */
export async function listWorkspaces(
  { db, account, credential }: AccountContext,
  page: PageRequest<'name' | 'createdAt'>,
): Promise<PageOf<WorkspaceRow>> {
  return db.identity.workspaces.listForAccount(
    account.id,
    { sortBy: page.sortBy, sortOrder: page.sortOrder, limit: page.pageSize, offset: offsetOf(page) },
    credential.workspaceId,
  );
}
