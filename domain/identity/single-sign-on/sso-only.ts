import type { EnteredMembership } from '../../../db/identity/memberships.js';
import { Conflict, Forbidden } from '../../lib/errors.js';

/**
 * Refuses a credential that has not come by the identity provider of the workspace's organization, where that is the only
 * way in. What it decides by is found with the credential, by the statement that authenticates
 * (docs/decisions/0169-an-identity-is-of-an-organization.md). @throws Forbidden `sso_required`
 */
export function requireSso(
  { ssoOnly, ssoEndsAt, isSupport }: Pick<EnteredMembership, 'ssoOnly' | 'ssoEndsAt' | 'isSupport'>,
  now: Date,
): void {
  if (!ssoOnly) return;
  if (isSupport || ssoEndsAt === null || ssoEndsAt <= now) throw ssoRequired();
}

export function ssoRequired(): Forbidden {
  const why = 'The organization is entered by its identity provider only. Sign in there.';
  return new Forbidden('single sign-on', why, 'sso_required');
}

/** For what would make a credential that is good for nothing in the workspace. */
export function ssoOnlyWorkspace(): Conflict {
  const why = 'The organization of the workspace accepts nothing but its identity provider.';
  return new Conflict('sso_only', why);
}
