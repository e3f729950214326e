import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import { lockMemberRoles } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { wakeChatsOf } from '../../chat-state/disabled-member.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { isManagerRole, managerRemains } from '../../people/member-roles/last-manager.js';

export interface AccountState {
  enabled: boolean;
  /** Disables the account even if workspaces are left without an admin who can sign in. */
  leaveWithoutAdmin?: boolean;
}

/**
 * Enables or disables an account. Sessions end for good; keys work again once it is enabled. @throws Forbidden,
 * NotFound, Conflict for the caller's own account and for the last admin of a workspace
 */
export async function setAccountEnabled(
  context: AccountContext,
  accountUuid: string,
  { enabled, leaveWithoutAdmin = false }: AccountState,
): Promise<AccountRow> {
  requireSuperuser(context);
  const { db, clock, account: superuser } = context;
  return db.atomically(null, async (within) => {
    const { before, changed } = await within.inIdentity(async (tx) => {
      const account = await within.identity.accounts.lockByUuid(accountUuid, tx);
      if (account === undefined) throw new NotFound('Account');
      if (account.id === superuser.id) {
        throw new Conflict('own_account', 'You cannot enable or disable your own account.');
      }
      const now = clock.now();
      if (!enabled) {
        const owner = { accountId: account.id, workspaceId: null, memberId: null };
        await within.identity.sessions.endAll(owner, now, { tx });
      }
      const updated = await within.identity.accounts.update(account.id, { enabled, updatedAt: now }, tx);
      const action = enabled ? 'account:enabled' : 'account:disabled';
      recordAccountAudit(tx, { now }, account.id, action);
      const by = { now, credential: context.credential };
      recordAccountAudit(tx, by, superuser.id, action, { subject: ['account', account.id] });
      return { before: account, changed: updated };
    });
    if (changed === undefined) throw new NotFound('Account');
    // A disabled or stand-alone account could not be signed in to, so no workspace relied on it as its admin.
    const wasUsable = before.enabled && !before.standsAlone;
    if (!enabled && wasUsable && !leaveWithoutAdmin) await ensureManagersRemain(within, changed.id);
    if (enabled && !before.enabled) await wakeChatsOfAccount(within, changed.id);
    return changed;
  });
}

async function wakeChatsOfAccount(within: Database, accountId: number): Promise<void> {
  const memberships = await within.inIdentity((tx) => within.identity.memberships.listOwn(accountId, tx));
  for (const { workspaceId, memberId } of memberships) {
    await within.inWorkspace(workspaceId, (tx) => wakeChatsOf(tx, memberId));
  }
}

/**
 * Called after the account is disabled. Locks the roles of each workspace, in order, so that no other admin is demoted
 * while this account still counts. @throws Conflict `last_admin`, which tells how many workspaces, not which
 */
async function ensureManagersRemain(within: Database, accountId: number): Promise<void> {
  const memberships = await within.inIdentity((tx) => within.identity.memberships.listOwn(accountId, tx));
  let left = 0;
  for (const { workspaceId, memberId } of memberships) {
    if (await within.inWorkspace(workspaceId, (tx) => wasLastManager(within, tx, memberId))) left += 1;
  }
  if (left === 0) return;
  const workspaces = left === 1 ? 'a workspace' : `${left} workspaces`;
  throw new Conflict('last_admin', `The account is the last admin of ${workspaces}.`);
}

async function wasLastManager(within: Database, tx: Tx, memberId: number): Promise<boolean> {
  const roles = await lockMemberRoles(tx);
  const member = await findMember(tx, memberId);
  const role = roles.find(({ id }) => id === member?.memberRoleId);
  return role !== undefined && isManagerRole(role) && !(await managerRemains(within, tx));
}
