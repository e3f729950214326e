import type { Tx } from '../../db/database.js';
import { findMemberRole, type MemberRoleRow } from '../../db/queries/member-roles.js';
import type { Actor } from '../actor.js';
import { Forbidden } from '../errors.js';

/** What a role gives to whoever has it. */
export type RoleGrants = Pick<MemberRoleRow, 'permissions' | 'useAdmin' | 'manageWorkspace'>;

/**
 * Nobody grants, or takes away, what they lack: a role, or a member that has it, is managed only by people whose
 * own role covers it.
 *
 * @throws Forbidden naming the first thing that is missing
 */
export async function requireCovers(tx: Tx, actor: Actor, grants: RoleGrants): Promise<void> {
  const own = await findMemberRole(tx, actor.memberRoleId);
  const missing = firstMissing(
    {
      permissions: [...actor.rolePermissions],
      useAdmin: own?.useAdmin ?? false,
      manageWorkspace: own?.manageWorkspace ?? false,
    },
    grants,
  );
  if (missing !== undefined) {
    throw new Forbidden(missing, `The role holds ${missing}, which your own role lacks.`);
  }
}

/** What `grants` hold and `own` do not, or undefined. A permission for all data types covers each of them. */
export function firstMissing(own: RoleGrants, grants: RoleGrants): string | undefined {
  const held = new Set(own.permissions);
  const missing = grants.permissions.find(
    (permission) => !held.has(permission) && !held.has(forEveryType(permission)),
  );
  if (missing !== undefined) return missing;
  if (grants.useAdmin && !own.useAdmin) return 'useAdmin';
  return grants.manageWorkspace && !own.manageWorkspace ? 'manageWorkspace' : undefined;
}

/** `data:read:<slug>` → `data:read`, `data:write:<slug>` → `records:write`; others stay what they are. */
function forEveryType(permission: string): string {
  if (permission.startsWith('data:read:')) return 'data:read';
  return permission.startsWith('data:write:') ? 'records:write' : permission;
}
