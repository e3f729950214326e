import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** Whether the account behind a member of the transaction's workspace wants no messages. */
export async function hasAccountOptedOut(tx: Tx, memberId: number): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from identity.memberships m join identity.accounts a on a.id = m.account_id
     where m.workspace_id = ? and m.member_id = ? and a.opted_out`,
    [tx.workspaceId, memberId],
  );
  return found.length > 0;
}
