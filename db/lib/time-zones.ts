import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** The time zone set by the member's account, where UTC means that none was set, else that of the workspace. */
export async function timezoneOfMember(tx: Tx, memberId: number): Promise<string> {
  const [row] = await prepared<{ timezone: string }>(
    tx,
    `select coalesce(nullif(account.timezone, 'UTC'), workspace.timezone) as timezone
     from identity.workspaces workspace
     left join identity.memberships membership
       on membership.workspace_id = workspace.id and membership.member_id = ?
     left join identity.accounts account on account.id = membership.account_id
     where workspace.id = ?`,
    [memberId, tx.workspaceId],
  );
  return row?.timezone ?? 'UTC';
}
