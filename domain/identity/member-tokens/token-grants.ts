import type { Actor } from '../../kernel/actor.js';
import type { Permission } from '../../kernel/scopes.js';
import { forEveryType } from '../../people/member-roles/role-grants.js';

/** What a member token, and the session made of it, was made for. */
export interface TokenGrants {
  /** All that the member's role held. */
  roleGrants: readonly string[];
  /** What of it the token gives: no more than whoever made it may do. */
  granted: readonly string[];
  /** The key that made it; null for a person. It ends with the key. */
  apiKeyId: number | null;
}

/** The grants of a token that the actor makes for a member with this role. */
export function grantsFor(actor: Actor, { permissions }: { permissions: readonly string[] }): TokenGrants {
  const granted = (permissions as Permission[]).filter(
    (permission) => actor.can(permission) || actor.can(forEveryType(permission)),
  );
  const { kind, id } = actor.credential;
  return { roleGrants: permissions, granted, apiKeyId: kind === 'api_key' ? id : null };
}

/** Whether a role holds anything that it did not hold when the token was made; unknown grants have been outgrown. */
export function hasGrown(roleGrants: readonly string[] | null, permissions: readonly string[]): boolean {
  return roleGrants === null || within(roleGrants, permissions).length < permissions.length;
}

/** Those permissions that the grants hold, by name or for every data type. */
export function within(grants: readonly string[] | null, permissions: readonly string[]): string[] {
  const held = new Set(grants ?? []);
  return permissions.filter(
    (permission) => held.has(permission) || held.has(forEveryType(permission as Permission)),
  );
}
