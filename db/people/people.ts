import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { MemberModel, type MemberRow } from './models/member.js';

interface PeopleSought {
  ids: readonly number[];
  emails: readonly string[];
  phones: readonly string[];
  externalIds: readonly string[];
}

export type Person = Pick<MemberRow, 'id' | 'email' | 'phone' | 'externalId'>;

/** Finds the people who have any of these identifiers, without assistants and deleted members. */
export async function findPeople(tx: Tx, sought: PeopleSought): Promise<Person[]> {
  return MemberModel.pick(
    tx,
    ['id', 'email', 'phone', 'externalId'],
    // Each identifier uses its own index: an `or` over them would read all members.
    `kind = 'human' and deleted_at is null and id = any(array(
       select unnest(?::bigint[])
       union all select id from members where email = any(?::text[]) and deleted_at is null
       union all select id from members where phone = any(?::text[]) and deleted_at is null
       union all select id from members where external_id = any(?::text[]) and deleted_at is null))`,
    [sought.ids, sought.emails, sought.phones, sought.externalIds],
  );
}

interface PersonToMail {
  id: number;
  email: string;
}

/** Up to `limit` people with these roles, oldest first, who accept mail at an address that their account has proved. */
export async function peopleToMail(
  tx: Tx,
  memberRoleIds: readonly number[],
  limit: number,
): Promise<PersonToMail[]> {
  return prepared(
    tx,
    `select member.id, member.email from members member
     join identity.memberships m on m.workspace_id = member.workspace_id and m.member_id = member.id
     join identity.accounts a on a.id = m.account_id
     where member.member_role_id = any(?) and member.kind = 'human' and member.notify_email
       and member.deleted_at is null and member.disabled_at is null
       and a.enabled and not a.opted_out and a.email = member.email and a.email_verified_at is not null
     order by member.id limit ?`,
    [[...memberRoleIds], limit],
  );
}
