import type { Database, Tx } from '../../../db/database.js';
import { lockMemberRoles, type MemberRoleRow } from '../../../db/people/member-roles.js';
import { idsOfPeopleWithRoles } from '../../../db/people/members.js';
import { Conflict } from '../../lib/errors.js';

/** Whether people with this role can give others their roles: without one of them a workspace is locked for good. */
export function isManagerRole(role: Pick<MemberRoleRow, 'permissions'>): boolean {
  return role.permissions.includes('members:write') && role.permissions.includes('roles:write');
}

/**
 * Called after a change that may have taken the last admin away, in its transaction, which has to hold the roles
 * (`lockMemberRoles`) since before the change: so two admins cannot demote each other at once. Who has no account, or
 * a disabled one, cannot log in and is no admin that remains; nor is a superuser who came for support.
 *
 * @throws Conflict `last_admin`
 */
export async function ensureManagerRemains(database: Pick<Database, 'identity'>, tx: Tx): Promise<void> {
  if (await managerRemains(database, tx)) return;
  throw new Conflict('last_admin', 'The last admin of a workspace cannot be removed or demoted.');
}

/** Whether somebody is left who can give others their roles. The caller holds the roles. */
export async function managerRemains({ identity }: Pick<Database, 'identity'>, tx: Tx): Promise<boolean> {
  const managerRoles = (await lockMemberRoles(tx)).filter(isManagerRole);
  const [people, support] = await Promise.all([
    idsOfPeopleWithRoles(
      tx,
      managerRoles.map((role) => role.id),
    ),
    identity.memberships.supportMemberIds(tx.workspaceId, tx),
  ]);
  const managers = people.filter((id) => !support.includes(id));
  return identity.memberships.anyUsable(tx.workspaceId, managers, tx);
}
