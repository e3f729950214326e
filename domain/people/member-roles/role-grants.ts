import type { Tx } from '../../../db/database.js';
import { findMemberRole, type MemberRoleRow } from '../../../db/people/member-roles.js';
import type { Actor } from '../../kernel/actor.js';
import type { Permission } from '../../kernel/scopes.js';
import { Forbidden } from '../../lib/errors.js';

/** What a role gives to whoever has it. */
export type RoleGrants = Pick<MemberRoleRow, 'permissions' | 'useAdmin' | 'manageWorkspace'>;

/** What someone can do now: what their role holds and their credential does not cut off. */
export interface OwnGrants {
  can(permission: Permission): boolean;
  useAdmin: boolean;
  manageWorkspace: boolean;
}

/**
 * Nobody grants, or takes away, what they lack: a role, or a member that has it, is managed only by people whose
 * own role covers it, and by an API key only as far as its scopes do. Else a key for roles would be one for all.
 *
 * @throws Forbidden naming the first thing that is missing
 */
export async function requireCovers(tx: Tx, actor: Actor, grants: RoleGrants): Promise<void> {
  requireCoveredBy(actor, await findMemberRole(tx, actor.memberRoleId), grants);
}

/** `requireCovers` for who has the actor's own role at hand. @throws Forbidden naming the first thing that is missing */
export function requireCoveredBy(actor: Actor, own: RoleGrants | undefined, grants: RoleGrants): void {
  refuse(firstMissing(grantsOf(actor, own), grants));
}

/** Whether the actor's role and credential together hold all that a role grants. */
export function isCoveredBy(actor: Actor, own: RoleGrants | undefined, grants: RoleGrants): boolean {
  return firstMissing(grantsOf(actor, own), grants) === undefined;
}

/**
 * Whether the actor's role holds all that another grants, whatever the credential is cut down to: for what the credential
 * cuts down itself. @throws Forbidden naming the first thing that is missing
 */
export function requireCoveredByRole(own: RoleGrants | undefined, grants: RoleGrants): void {
  const held = new Set(own?.permissions ?? []);
  const { useAdmin = false, manageWorkspace = false } = own ?? {};
  refuse(firstMissing({ can: (permission) => held.has(permission), useAdmin, manageWorkspace }, grants));
}

function grantsOf(actor: Actor, own: RoleGrants | undefined): OwnGrants {
  const { useAdmin = false, manageWorkspace = false } = own ?? {};
  return { can: (permission) => actor.can(permission), useAdmin, manageWorkspace };
}

function refuse(missing: string | undefined): void {
  if (missing === undefined) return;
  throw new Forbidden(missing, `The role holds ${missing}, which your own role or credential lacks.`);
}

/** What `grants` hold and `own` do not, or undefined. A permission for all data types covers each of them. */
export function firstMissing(own: OwnGrants, grants: RoleGrants): string | undefined {
  const missing = (grants.permissions as Permission[]).find(
    (permission) => !own.can(permission) && !own.can(forEveryType(permission)),
  );
  if (missing !== undefined) return missing;
  if (grants.useAdmin && !(own.useAdmin && canManage(own))) return 'useAdmin';
  return grants.manageWorkspace && !(own.manageWorkspace && canManage(own)) ? 'manageWorkspace' : undefined;
}

/** The flags are no scopes, so a credential has them by the scopes of those who manage. */
function canManage(own: OwnGrants): boolean {
  return own.can('roles:write') && own.can('workspace:write');
}

/** `data:read:<slug>` → `data:read`, `data:write:<slug>` → `records:write`; others stay what they are. */
export function forEveryType(permission: Permission): Permission {
  if (permission.startsWith('data:read:')) return 'data:read';
  return permission.startsWith('data:write:') ? 'records:write' : permission;
}
