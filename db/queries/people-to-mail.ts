import type { Tx } from '../database.js';
import { MemberModel } from '../models/member.js';

/** The people who hold one of these roles, have an email address and take notices by mail: so many, oldest first. */
export async function idsOfPeopleToMail(
  tx: Tx,
  memberRoleIds: readonly number[],
  limit: number,
): Promise<number[]> {
  const rows = await MemberModel.query(tx)
    .select('id')
    .where({ kind: 'human', notify_email: true })
    .whereIn('member_role_id', [...memberRoleIds])
    .whereNotNull('email')
    .whereNull('deleted_at')
    .orderBy('id')
    .limit(limit);
  return rows.map(({ id }) => id);
}
