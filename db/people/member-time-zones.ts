import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** The time zones that are set for a member, in their order: of its account, where UTC means that none was set; of the workspace. */
export async function selectTimezones(tx: Tx, memberId: number): Promise<string[]> {
  const [row] = await prepared<{ account: string | null; workspace: string }>(
    tx,
    `select nullif(account.timezone, 'UTC') as account, workspace.timezone as workspace
     from identity.workspaces workspace
     left join identity.memberships membership
       on membership.workspace_id = workspace.id and membership.member_id = ?
     left join identity.accounts account on account.id = membership.account_id
     where workspace.id = ?`,
    [memberId, tx.workspaceId],
  );
  return [row?.account, row?.workspace].flatMap((timezone) => timezone ?? []);
}
