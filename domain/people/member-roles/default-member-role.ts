import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import { isAdminRole } from '../../kernel/scopes.js';
import { Conflict } from '../../lib/errors.js';

/** The role of members for whom none is named: the first non-admin one (specification, create-signup rule 2). */
export function defaultMemberRole(rolesInOrder: readonly MemberRoleRow[]): MemberRoleRow | undefined {
  return rolesInOrder.find((role) => !isAdminRole(role));
}

/**
 * Called with the roles as a change leaves them: strangers who write become members, and there has to be a role for
 * them that gives them nothing of an admin's.
 *
 * @throws Conflict `last_member_role`
 */
export function ensureDefaultRemains(rolesInOrder: readonly MemberRoleRow[]): void {
  if (defaultMemberRole(rolesInOrder) !== undefined) return;
  throw new Conflict(
    'last_member_role',
    'A workspace keeps a role without admin permissions, for new members.',
  );
}
