import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import type { MemberRow } from './members.js';

export type PersonToTell = Pick<MemberRow, 'id' | 'email' | 'phone' | 'memberRoleId'>;

/** Up to `limit` people who have one of these roles or ids, the oldest first, without disabled and deleted ones. */
export async function peopleToTell(
  tx: Tx,
  { memberRoleIds, memberIds }: { memberRoleIds: readonly number[]; memberIds: readonly number[] },
  limit: number,
): Promise<PersonToTell[]> {
  return prepared(
    tx,
    `select id, email, phone, member_role_id as "memberRoleId" from members
     where kind = 'human' and deleted_at is null and disabled_at is null and id = any(array(
       select unnest(?::bigint[])
       union (select id from members where member_role_id = any(?::bigint[]) and kind = 'human'
         and deleted_at is null and disabled_at is null order by id limit ?)))
     order by id limit ?`,
    [memberIds, memberRoleIds, limit, limit],
  );
}
