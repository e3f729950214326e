import type { IdentityTx, Tx } from '../database.js';
import { prepared } from '../statement.js';

/** What decides what a member may do. */
export interface MemberAccess {
  memberRoleId: number;
  permissions: string[];
  useAdmin: boolean;
  manageWorkspace: boolean;
  /** Set for a member that is kept out. */
  disabledAt: Date | null;
}

/**
 * SQL for a statement that finds out whose a credential is: it makes the transaction see that workspace, so that
 * `findEnteredMember`, sent with it, needs not wait for what it found.
 */
export function entering(workspaceId: string, memberId: string): string {
  return `set_config('app.workspace_id', coalesce(${workspaceId}::text, ''), true),
    set_config('app.member_id', coalesce(${memberId}::text, ''), true)`;
}

/** The role of the member that was entered as, and what it permits; undefined for one that is no more, or none. */
export async function findEnteredMember(tx: IdentityTx): Promise<MemberAccess | undefined> {
  const [found] = await prepared<MemberAccess>(
    tx,
    `select m.member_role_id as "memberRoleId", r.permissions, r.use_admin as "useAdmin",
       r.manage_workspace as "manageWorkspace", m.disabled_at as "disabledAt"
     from members m join member_roles r on r.workspace_id = m.workspace_id and r.id = m.member_role_id
     where m.workspace_id = current_workspace()
       and m.id = nullif(current_setting('app.member_id', true), '')::bigint and m.deleted_at is null`,
    [],
  );
  return found;
}

/** The member's role and what it permits; undefined for a member that is no more. */
export async function findMemberAccess(tx: Tx, memberId: number): Promise<MemberAccess | undefined> {
  const [found] = await prepared<MemberAccess>(
    tx,
    `select m.member_role_id as "memberRoleId", r.permissions, r.use_admin as "useAdmin",
       r.manage_workspace as "manageWorkspace", m.disabled_at as "disabledAt"
     from members m join member_roles r on r.workspace_id = m.workspace_id and r.id = m.member_role_id
     where m.workspace_id = ? and m.id = ? and m.deleted_at is null`,
    [tx.workspaceId, memberId],
  );
  return found;
}
