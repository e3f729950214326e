import type { IdentityTx, Tx } from '../database.js';
import { prepared } from '../statement.js';

export interface MemberAccess {
  memberRoleId: number;
  permissions: string[];
  useAdmin: boolean;
  manageWorkspace: boolean;
  /** Set for a disabled member. */
  disabledAt: Date | null;
}

/** Enters the workspace that a look-up finds, so that `findEnteredMember` can be sent in the same message. */
export function entering(workspaceId: string, memberId: string): string {
  return `set_config('app.workspace_id', coalesce(${workspaceId}::text, ''), true),
    set_config('app.member_id', coalesce(${memberId}::text, ''), true)`;
}

const access = `select m.member_role_id as "memberRoleId", r.permissions, r.use_admin as "useAdmin",
     r.manage_workspace as "manageWorkspace", m.disabled_at as "disabledAt"
   from members m join member_roles r on r.workspace_id = m.workspace_id and r.id = m.member_role_id
   where m.deleted_at is null`;

/** Returns the role and permissions of the entered member; undefined where it is deleted, or none was entered. */
export async function findEnteredMember(tx: IdentityTx): Promise<MemberAccess | undefined> {
  const [found] = await prepared<MemberAccess>(
    tx,
    `${access} and m.workspace_id = current_workspace()
       and m.id = nullif(current_setting('app.member_id', true), '')::bigint`,
    [],
  );
  return found;
}

/** Returns the member's role and its permissions; undefined for a deleted member. */
export async function findMemberAccess(tx: Tx, memberId: number): Promise<MemberAccess | undefined> {
  const [found] = await prepared<MemberAccess>(tx, `${access} and m.workspace_id = ? and m.id = ?`, [
    tx.workspaceId,
    memberId,
  ]);
  return found;
}
