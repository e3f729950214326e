import type { Tx } from '../tx.js';
import { MemberModel, type MemberRow } from './models/member.js';

export type PersonToNotify = Pick<MemberRow, 'id' | 'email' | 'phone' | 'memberRoleId'>;

/** Up to `limit` people who have one of these roles or ids, the oldest first, without disabled and deleted ones. */
export async function peopleToNotify(
  tx: Tx,
  { memberRoleIds, memberIds }: { memberRoleIds: readonly number[]; memberIds: readonly number[] },
  limit: number,
): Promise<PersonToNotify[]> {
  return MemberModel.pick(
    tx,
    ['id', 'email', 'phone', 'memberRoleId'],
    `kind = 'human' and deleted_at is null and disabled_at is null and id = any(array(
       select unnest(?::bigint[])
       union (select id from members where member_role_id = any(?::bigint[]) and kind = 'human'
         and deleted_at is null and disabled_at is null order by id limit ?)))
     order by id limit ?`,
    [memberIds, memberRoleIds, limit, limit],
  );
}
