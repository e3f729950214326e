import type { Tx } from '../database.js';

/** What decides what a member may do. */
export interface MemberAccess {
  memberRoleId: number;
  permissions: string[];
}

/** The member's role and what it permits; undefined for a member that is no more. */
export async function findMemberAccess(tx: Tx, memberId: number): Promise<MemberAccess | undefined> {
  return tx('members as m')
    .join('member_roles as r', (on) => {
      on.on('r.workspace_id', 'm.workspace_id').andOn('r.id', 'm.member_role_id');
    })
    .where({ 'm.workspace_id': tx.workspaceId, 'm.id': memberId, 'm.deleted_at': null })
    .select({ memberRoleId: 'm.member_role_id', permissions: 'r.permissions' })
    .first();
}
