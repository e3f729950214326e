import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import type { MemberRow } from '../../../db/people/members.js';
import type { Actor } from '../../kernel/actor.js';
import { requireCoveredBy } from '../member-roles/role-grants.js';

/**
 * Requires that the actor's grants cover those of the member's role. A credential without restricted scopes always
 * covers the actor's own member. A restricted key may not, so its owner is treated like any other member with that
 * role.
 *
 * @throws Forbidden naming the first missing grant
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
