import type { Tx } from '../../db/database.js';
import { findMemberRole } from '../../db/queries/member-roles.js';
import type { MemberRow } from '../../db/queries/members.js';
import { isAdminRole } from '../scopes.js';

/**
 * Whether a member may be let in on a token alone. Nobody proved who they are: so a person, and never one whose role
 * is an admin role (design section 8).
 */
export async function maySignInByToken(tx: Tx, member: MemberRow): Promise<boolean> {
  const role = await findMemberRole(tx, member.memberRoleId);
  return member.kind === 'human' && role !== undefined && !isAdminRole(role);
}
