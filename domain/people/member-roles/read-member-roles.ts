import { findMemberRole, type MemberRoleRow, selectMemberRoles } from '../../../db/people/member-roles.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

export async function listMemberRoles({ db, actor }: CommandContext): Promise<MemberRoleRow[]> {
  return db.inWorkspace(actor.workspaceId, selectMemberRoles);
}

/** Returns a role. Every member may read it. @throws NotFound */
export async function getMemberRole({ db, actor }: CommandContext, id: number): Promise<MemberRoleRow> {
  const role = await db.inWorkspace(actor.workspaceId, (tx) => findMemberRole(tx, id));
  if (role === undefined) throw new NotFound('Member role');
  return role;
}
