import type { MemberRow } from '../../../db/people/members.js';
import type { Actor } from '../../kernel/actor.js';
import { isAdminRole, type Permission, type RolePowers } from '../../kernel/scopes.js';
import { Conflict } from '../../lib/errors.js';
import { forEveryType } from '../../people/member-roles/role-grants.js';

/** A token does not prove who uses it, so only a person without an admin role may sign in by one. */
export function mayHaveToken({ kind }: Pick<MemberRow, 'kind'>, role: RolePowers): boolean {
  return kind === 'human' && !isAdminRole(role);
}

/** The error for a member that may not have a token. */
export function memberIsAdmin(): Conflict {
  return new Conflict('member_is_admin', 'Members with an admin role cannot sign in with a token.');
}

/** The permissions of a member token and of the session made from it. */
export interface TokenGrants {
  /** All permissions of the role of the member when the token was created. */
  roleGrants: readonly string[];
  /** The permissions that the token gives: those of the role that its creator may use as well. */
  granted: readonly string[];
  /** The API key that created the token, which ends with the key; null for a person. */
  apiKeyId: number | null;
}

/** The grants of a token that the actor creates for a member with this role. */
export function grantsFor(actor: Actor, { permissions }: { permissions: readonly string[] }): TokenGrants {
  const granted = (permissions as Permission[]).filter(
    (permission) => actor.can(permission) || actor.can(forEveryType(permission)),
  );
  const { kind, id } = actor.credential;
  return { roleGrants: permissions, granted, apiKeyId: kind === 'api_key' ? id : null };
}

/** Whether a role has gained a permission since the token was created. True if the grants at that time are unknown. */
export function hasGrown(roleGrants: readonly string[] | null, permissions: readonly string[]): boolean {
  return roleGrants === null || within(roleGrants, permissions).length < permissions.length;
}

/** The permissions that the grants include, by name or by the permission for every data type. */
export function within(grants: readonly string[] | null, permissions: readonly string[]): string[] {
  const held = new Set(grants ?? []);
  return permissions.filter(
    (permission) => held.has(permission) || held.has(forEveryType(permission as Permission)),
  );
}
