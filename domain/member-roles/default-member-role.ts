import type { MemberRoleRow } from '../../db/queries/member-roles.js';
import { isAdminRole } from '../scopes.js';

/** The role of members for whom none is named: the first non-admin one (specification, create-signup rule 2). */
export function defaultMemberRole(rolesInOrder: readonly MemberRoleRow[]): MemberRoleRow | undefined {
  return rolesInOrder.find((role) => !isAdminRole(role));
}
