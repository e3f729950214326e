import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** Whether a member or its account is disabled. False for a deleted member. */
export async function isMemberDisabled(tx: Tx, memberId: number): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from members member
     left join identity.memberships membership
       on membership.workspace_id = member.workspace_id and membership.member_id = member.id
     left join identity.accounts account on account.id = membership.account_id
     where member.id = ? and member.deleted_at is null
       and (member.disabled_at is not null or not account.enabled)`,
    [memberId],
  );
  return found.length > 0;
}
