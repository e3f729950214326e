import type { WorkspaceRow } from '../../../db/identity/workspaces.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import { Conflict } from '../../lib/errors.js';
import { createWorkspace, type NewWorkspaceInput } from './create-workspace.js';

/**
 * Creates a workspace for the caller, within the policy of the installation.
 *
 * @throws Forbidden if only superusers may create workspaces, Conflict if the account has created its maximum number
 */
export async function createOwnWorkspace(
  context: AccountContext & { policy: InstallationPolicy },
  input: NewWorkspaceInput,
): Promise<WorkspaceRow> {
  const { db, account, policy } = context;
  if (policy.workspaceCreation === 'superusers') requireSuperuser(context);
  return createWorkspace(context, input, async (tx) => {
    if (account.isSuperuser) return;
    // The row lock of the account makes concurrent requests count one after the other.
    await db.identity.accounts.lock(account.id, tx);
    const created = await db.identity.workspaces.countCreatedBy(account.id, tx);
    if (created <= policy.workspacesPerAccount) return;
    const most = `The account has created ${policy.workspacesPerAccount} workspaces, the most it may.`;
    throw new Conflict('too_many_workspaces', most);
  });
}
