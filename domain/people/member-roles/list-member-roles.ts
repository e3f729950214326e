import { listMemberRoles as listRoles, type MemberRoleRow } from '../../../db/people/member-roles.js';
import type { CommandContext } from '../../kernel/context.js';

/** All roles of the workspace, in the order they were made. Every member may read them. */
export async function listMemberRoles({ db, actor }: CommandContext): Promise<MemberRoleRow[]> {
  return db.inWorkspace(actor.workspaceId, listRoles);
}
