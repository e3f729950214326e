import type { MemberRow } from '../../../db/people/members.js';
import { isAdminRole, type RolePowers } from '../../kernel/scopes.js';
import { Conflict } from '../../lib/errors.js';

/**
 * Whether a member may sign in with a token alone. A token does not prove who uses it, so the member must be a person
 * without an admin role (design section 8).
 */
export function mayHaveToken({ kind }: Pick<MemberRow, 'kind'>, role: RolePowers): boolean {
  return kind === 'human' && !isAdminRole(role);
}

/** The error for a member that may not have a token. */
export function memberIsAdmin(): Conflict {
  return new Conflict('member_is_admin', 'Members with an admin role cannot sign in with a token.');
}
