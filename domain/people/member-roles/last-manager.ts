import type { Database } from '../../../db/database.js';
import { lockMemberRoles, type MemberRoleRow } from '../../../db/people/member-roles.js';
import { idsOfPeopleWithRoles } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { Conflict } from '../../lib/errors.js';

/** Whether people with this role can assign roles. Without one, a workspace is locked out of its administration. */
export function isManagerRole(role: Pick<MemberRoleRow, 'permissions'>): boolean {
  return role.permissions.includes('members:write') && role.permissions.includes('roles:write');
}

/**
 * Ensures that an admin who can log in remains. The transaction has locked the roles (`lockMemberRoles`) before the
 * change, so that two admins cannot demote each other. Superusers who joined for support do not count.
 * @throws Conflict `last_admin`
 */
export async function ensureManagerRemains(database: Pick<Database, 'identity'>, tx: Tx): Promise<void> {
  if (await managerRemains(database, tx)) return;
  throw new Conflict('last_admin', 'The last admin of a workspace cannot be removed or demoted.');
}

/** Whether the workspace still has a person who can assign roles. The caller has locked the roles. */
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
