import type { MemberRow } from '../../../db/people/members.js';
import { isAdminRole, type RolePowers } from '../../kernel/scopes.js';
import { Conflict } from '../../lib/errors.js';

/**
 * Whether a member may be let in on a token alone. Nobody proved who they are: so a person, and never one whose role
 * is an admin role (design section 8).
 */
export function mayHaveToken({ kind }: Pick<MemberRow, 'kind'>, role: RolePowers): boolean {
  return kind === 'human' && !isAdminRole(role);
}

/** What is told of a member that has no token. */
export function memberIsAdmin(): Conflict {
  return new Conflict('member_is_admin', 'Only people without an admin role sign in by a token.');
}
