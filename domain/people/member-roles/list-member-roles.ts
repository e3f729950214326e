import { listMemberRoles as listRoles, type MemberRoleRow } from '../../../db/people/member-roles.js';
import type { CommandContext } from '../../kernel/context.js';

/** Lists the workspace's roles in order of creation. Every member may read them. */
export async function listMemberRoles({ db, actor }: CommandContext): Promise<MemberRoleRow[]> {
  return db.inWorkspace(actor.workspaceId, listRoles);
}
