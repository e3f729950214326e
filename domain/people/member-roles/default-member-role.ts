import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import { isAdminRole } from '../../kernel/scopes.js';
import { Conflict } from '../../lib/errors.js';

/** The default role of new members: the first role without admin permissions (specification, create-signup rule 2). */
export function defaultMemberRole(rolesInOrder: readonly MemberRoleRow[]): MemberRoleRow | undefined {
  return rolesInOrder.find((role) => !isAdminRole(role));
}

/**
 * Strangers who write become members, and need a role without admin permissions. @throws Conflict `last_member_role`
 */
export function ensureDefaultRemains(rolesInOrder: readonly MemberRoleRow[]): void {
  if (defaultMemberRole(rolesInOrder) !== undefined) return;
  throw new Conflict(
    'last_member_role',
    'A workspace needs a role without admin permissions, for new members.',
  );
}
