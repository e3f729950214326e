import type { Tx } from '../database.js';
import { prepared } from '../prepared.js';

/** What decides what a member may do. */
export interface MemberAccess {
  memberRoleId: number;
  permissions: string[];
  useAdmin: boolean;
  manageWorkspace: boolean;
}

/** The member's role and what it permits; undefined for a member that is no more. */
export async function findMemberAccess(tx: Tx, memberId: number): Promise<MemberAccess | undefined> {
  const [found] = await prepared<MemberAccess>(
    tx,
    `select m.member_role_id as "memberRoleId", r.permissions, r.use_admin as "useAdmin",
       r.manage_workspace as "manageWorkspace"
     from members m join member_roles r on r.workspace_id = m.workspace_id and r.id = m.member_role_id
     where m.workspace_id = ? and m.id = ? and m.deleted_at is null`,
    [tx.workspaceId, memberId],
  );
  return found;
}
