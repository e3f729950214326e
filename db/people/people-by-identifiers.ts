import type { Tx } from '../database.js';
import { prepared } from '../statement.js';
import type { MemberRow } from './members.js';

/** What people are looked for by. */
export interface PeopleSought {
  ids: readonly number[];
  emails: readonly string[];
  phones: readonly string[];
  externalIds: readonly string[];
}

export type Person = Pick<MemberRow, 'id' | 'email' | 'phone' | 'externalId'>;

/** The people who have any of these identifiers; no assistants, and nobody who was deleted. */
export async function findPeople(tx: Tx, sought: PeopleSought): Promise<Person[]> {
  return prepared(
    tx,
    // One index for each: an `or` over them would have to look at everybody.
    `select id, email, phone, external_id as "externalId" from members
     where kind = 'human' and deleted_at is null and id = any(array(
       select unnest(?::bigint[])
       union all select id from members where email = any(?::text[]) and deleted_at is null
       union all select id from members where phone = any(?::text[]) and deleted_at is null
       union all select id from members where external_id = any(?::text[]) and deleted_at is null))`,
    [sought.ids, sought.emails, sought.phones, sought.externalIds],
  );
}
