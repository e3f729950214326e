import type { Database, Tx } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/accounts.js';
import { lockMemberRoles } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { wakeChatsOf } from '../../chat-state/disabled-member.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { requireSuperuser } from '../../kernel/require-superuser.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { isManagerRole, managerRemains } from '../../people/member-roles/last-manager.js';

export interface AccountState {
  enabled: boolean;
  /** Disables an account even if workspaces are left without an admin that can log in. */
  leaveWithoutAdmin?: boolean;
}

/**
 * Lets an account in, or keeps it out: a disabled one's keys and sessions are refused from the next request on, and it
 * is sent no codes. Its sessions are ended for good, its keys work again once it is enabled.
 *
 * @throws Forbidden, NotFound, Conflict for one's own account and for the last admin of a workspace
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
        throw new Conflict('own_account', 'Nobody enables or disables their own account.');
      }
      const now = clock.now();
      if (!enabled) {
        const owner = { accountId: account.id, workspaceId: null, memberId: null };
        await within.identity.sessions.endAll(owner, now, { tx });
      }
      const updated = await within.identity.accounts.update(account.id, { enabled, updatedAt: now }, tx);
      return { before: account, changed: updated };
    });
    if (changed === undefined) throw new NotFound('Account');
    // Nobody could log in to one that was disabled or stood alone: no workspace counted on it.
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
 * After an account was disabled, in that transaction. Roles are held workspace by workspace, in order, so that nobody is
 * demoted there meanwhile who counted on this one.
 *
 * @throws Conflict `last_admin`, which says of how many workspaces and not of which
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
