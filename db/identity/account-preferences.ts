import type { Tx } from '../database.js';
import { prepared } from '../statement.js';
import type { LoginChannel } from './login-codes.js';

/** Whether the account of a member of the transaction's workspace has opted out of messages. */
export async function hasAccountOptedOut(tx: Tx, memberId: number): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from identity.memberships m join identity.accounts a on a.id = m.account_id
     where m.workspace_id = ? and m.member_id = ? and a.opted_out`,
    [tx.workspaceId, memberId],
  );
  return found.length > 0;
}

/** Whether the account of a member of the transaction's workspace has proved an address, and is enabled. */
export async function hasProvedAddress(
  tx: Tx,
  memberId: number,
  { channel, address }: { channel: LoginChannel; address: string },
): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from identity.memberships m join identity.accounts a on a.id = m.account_id
     where m.workspace_id = ? and m.member_id = ? and a.enabled
       and ((?::text = 'email' and a.email = ? and a.email_verified_at is not null)
         or (?::text = 'phone' and a.phone = ? and a.phone_verified_at is not null))`,
    [tx.workspaceId, memberId, channel, address, channel, address],
  );
  return found.length > 0;
}
