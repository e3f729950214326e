import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import type { AccountContext } from '../../kernel/account-context.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function getWorkspace({ db, actor }: CommandContext): Promise<WorkspaceRow> {
  const workspace = await db.identity.workspaces.findById(actor.workspaceId);
  if (workspace === undefined) throw new NotFound('Workspace');
  return workspace;
}

/**
 * The workspaces in which the caller is a member and for which its credential is valid: not those that are entered by an
 * identity provider only, unless the session has come by it.
 */
export async function listWorkspaces(
  { db, clock, account, credential }: AccountContext,
  page: PageRequest<'name' | 'createdAt'>,
): Promise<PageOf<WorkspaceRow>> {
  const { workspaceId: onlyWorkspaceId, organizationId: onlyOrganizationId, kind, id } = credential;
  const limits = { onlyWorkspaceId, onlyOrganizationId, sessionId: kind === 'session' ? id : null };
  return db.identity.workspaces.listForAccount(account.id, page, limits, clock.now());
}
