import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import type { Actor } from '../../kernel/actor.js';
import { InvalidInput } from '../../lib/errors.js';
import { defaultMemberRole } from '../member-roles/default-member-role.js';
import { requireCoveredBy } from '../member-roles/role-grants.js';

/**
 * The role to assign to a member, of those of the workspace in order of creation: the requested one, or the first
 * without admin permissions. @throws InvalidInput, Forbidden if it grants more than the actor has
 */
export function chooseAssignableRole(
  roles: readonly MemberRoleRow[],
  actor: Actor,
  id: number | undefined,
): MemberRoleRow {
  const role = id === undefined ? defaultMemberRole(roles) : roles.find((candidate) => candidate.id === id);
  if (role === undefined) {
    throw InvalidInput.field(
      '/memberRoleId',
      id === undefined
        ? 'A role is required, because the workspace has no role without admin permissions.'
        : 'There is no such member role.',
    );
  }
  requireCoveredBy(
    actor,
    roles.find((candidate) => candidate.id === actor.memberRoleId),
    role,
  );
  return role;
}
