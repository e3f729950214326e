import { findMemberRole, type MemberRoleRow } from '../../../db/people/member-roles.js';
import type { MemberRow } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { Permission } from '../../kernel/scopes.js';
import { Forbidden } from '../../lib/errors.js';

export type RoleGrants = Pick<MemberRoleRow, 'permissions' | 'useAdmin' | 'manageWorkspace'>;

/** What an actor can do now: the grants of its role, as far as its credential allows them. */
export interface OwnGrants {
  can(permission: Permission): boolean;
  useAdmin: boolean;
  manageWorkspace: boolean;
}

/**
 * Requires that the actor's role and credential cover a role's grants, so that an actor neither grants nor takes away
 * what it lacks. Scopes of an API key count: otherwise a key that may only manage roles could grant itself everything.
 * @throws Forbidden naming the first missing grant
 */
export async function requireCovers(tx: Tx, actor: Actor, grants: RoleGrants): Promise<void> {
  requireCoveredBy(actor, await findMemberRole(tx, actor.memberRoleId), grants);
}

/** `requireCovers` for callers that have the actor's role at hand. @throws Forbidden naming the first missing grant */
export function requireCoveredBy(actor: Actor, own: RoleGrants | undefined, grants: RoleGrants): void {
  refuse(firstMissing(grantsOf(actor, own), grants));
}

export function isCoveredBy(actor: Actor, own: RoleGrants | undefined, grants: RoleGrants): boolean {
  return firstMissing(grantsOf(actor, own), grants) === undefined;
}

/** `requireCoveredBy` regardless of the credential's scopes, where these restrict by themselves. @throws Forbidden */
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

/** Returns the first of `grants` that `own` lacks, or undefined. A permission for all data types covers each type. */
export function firstMissing(own: OwnGrants, grants: RoleGrants): string | undefined {
  const missing = (grants.permissions as Permission[]).find(
    (permission) => !own.can(permission) && !own.can(forEveryType(permission)),
  );
  if (missing !== undefined) return missing;
  if (grants.useAdmin && !(own.useAdmin && canManage(own))) return 'useAdmin';
  return grants.manageWorkspace && !(own.manageWorkspace && canManage(own)) ? 'manageWorkspace' : undefined;
}

/** No scope names the two flags, so the credential needs the scopes to manage roles and the workspace instead. */
function canManage(own: OwnGrants): boolean {
  return own.can('roles:write') && own.can('workspace:write');
}

/** `data:read:<slug>` → `data:read`, `data:write:<slug>` → `records:write`; returns any other permission unchanged. */
export function forEveryType(permission: Permission): Permission {
  if (permission.startsWith('data:read:')) return 'data:read';
  return permission.startsWith('data:write:') ? 'records:write' : permission;
}

/**
 * Requires that the actor's grants cover those of the member's role. A credential without restricted scopes covers the
 * actor's own member; a restricted key may not. @throws Forbidden naming the first missing grant
 */
export function requireManages(
  actor: Actor,
  roles: readonly MemberRoleRow[],
  { id, memberRoleId }: Pick<MemberRow, 'id' | 'memberRoleId'>,
): void {
  if (id === actor.memberId && actor.credential.scopes === null) return;
  const roleOf = (wanted: number) => roles.find((role) => role.id === wanted);
  const role = roleOf(memberRoleId);
  if (role !== undefined) requireCoveredBy(actor, roleOf(actor.memberRoleId), role);
}
