import type { MemberRoleRow } from '../../../db/people/member-roles.js';
import type { MemberRow } from '../../../db/people/members.js';
import type { Actor } from '../../kernel/actor.js';
import { requireCoveredBy } from '../member-roles/role-grants.js';

/**
 * Nobody manages a member who has more than themselves. In person one never has less than oneself; a key that is cut
 * down has, and says no more of its owner than of others with the owner's role.
 *
 * @throws Forbidden naming the first thing that is missing
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
