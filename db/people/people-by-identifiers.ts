import type { Tx } from '../database.js';
import { prepared } from '../statement.js';
import type { MemberRow } from './members.js';

/** The identifiers that people are looked up by. */
export interface PeopleSought {
  ids: readonly number[];
  emails: readonly string[];
  phones: readonly string[];
  externalIds: readonly string[];
}

export type Person = Pick<MemberRow, 'id' | 'email' | 'phone' | 'externalId'>;

/** Finds the people who have any of these identifiers, without assistants and deleted members. */
export async function findPeople(tx: Tx, sought: PeopleSought): Promise<Person[]> {
  return prepared(
    tx,
    // Each identifier uses its own index: an `or` over them would read all members.
    `select id, email, phone, external_id as "externalId" from members
     where kind = 'human' and deleted_at is null and id = any(array(
       select unnest(?::bigint[])
       union all select id from members where email = any(?::text[]) and deleted_at is null
       union all select id from members where phone = any(?::text[]) and deleted_at is null
       union all select id from members where external_id = any(?::text[]) and deleted_at is null))`,
    [sought.ids, sought.emails, sought.phones, sought.externalIds],
  );
}
