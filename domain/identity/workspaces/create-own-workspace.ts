import type { WorkspaceRow } from '../../../db/identity/workspaces.js';
import type { AccountContext } from '../../kernel/account-context.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import { requireSuperuser } from '../../kernel/require-superuser.js';
import { Conflict } from '../../lib/errors.js';
import { createWorkspace, type NewWorkspaceInput } from './create-workspace.js';

/**
 * Creates a workspace for the caller, as far as the installation's policy allows.
 *
 * @throws Forbidden where superusers alone create workspaces, Conflict for an account that has created its number of them
 */
export async function createOwnWorkspace(
  context: AccountContext & { policy: InstallationPolicy },
  input: NewWorkspaceInput,
): Promise<WorkspaceRow> {
  const { db, account, policy } = context;
  if (policy.workspaceCreation === 'superusers') requireSuperuser(context);
  return createWorkspace(context, input, async (tx) => {
    if (account.isSuperuser) return;
    // The account's lock has two requests at once count one after the other.
    await db.identity.accounts.lock(account.id, tx);
    const created = await db.identity.workspaces.countCreatedBy(account.id, tx);
    if (created <= policy.workspacesPerAccount) return;
    const most = `The account has created ${policy.workspacesPerAccount} workspaces, the most it may.`;
    throw new Conflict('too_many_workspaces', most);
  });
}
