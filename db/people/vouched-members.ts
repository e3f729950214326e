import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** What the workspace vouches for of a member: that it has written the person down itself, and that an address is the person's. */
export type Vouched = 'record' | 'email' | 'phone';

/** The condition that a member `m` has an account that somebody has proved to be theirs. */
function hasAccount(proof: string): string {
  return `exists (select from identity.memberships s join identity.accounts a on a.id = s.account_id
    where s.workspace_id = m.workspace_id and s.member_id = m.id and a.enabled and not a.stands_alone and ${proof})`;
}

/** By what a person shows to be a member: an address that it writes from, or whatever the service knows of it. */
const proofs = {
  phone: `('phone' = any(m.vouched_for) or ${hasAccount('a.phone_verified_at is not null and a.phone = m.phone')})`,
  email: `('email' = any(m.vouched_for) or ${hasAccount('a.email_verified_at is not null and a.email = m.email')})`,
  account: `('record' = any(m.vouched_for) or ${hasAccount('true')})`,
  any: `(m.vouched_for <> '{}' or ${hasAccount('true')})`,
} as const;

export type Proof = keyof typeof proofs;

/**
 * Whether a member, and each other person who takes part in its chat, has been vouched for by the workspace or has proved an account.
 * @param by how the member itself is known there
 */
export async function isVouchedOrProved(
  tx: Tx,
  { memberId, chatId }: { memberId: number; chatId: number | null },
  by: Proof,
): Promise<boolean> {
  const [row] = await prepared<{ known: boolean }>(
    tx,
    `select exists (select from members m where m.id = ? and ${proofs[by]})
       and not exists (select from chat_participants p join members m on m.id = p.member_id
         where p.chat_id = ?::bigint and m.id <> ? and m.kind = 'human' and not ${proofs.account}) as known`,
    [memberId, chatId, memberId],
  );
  return row?.known === true;
}

/** Notes what was written with `members:write`: an address vouches for itself, and one that was taken away no longer does. */
export async function recordVouched(
  tx: Tx,
  written: readonly { memberId: number; channel: 'email' | 'phone'; isGiven: boolean }[],
): Promise<void> {
  if (written.length === 0) return;
  await prepared(
    tx,
    `update members set vouched_for = array(
       select unnest(members.vouched_for) except select unnest(new.taken) union select unnest(new.given))
     from (select member_id, array_agg(channel) filter (where given) as given, array_agg(channel) filter (where not given) as taken
       from unnest(?::bigint[], ?::text[], ?::boolean[]) as one (member_id, channel, given) group by member_id) new
     where members.id = new.member_id and not (members.vouched_for @> coalesce(new.given, '{}')
       and not members.vouched_for && coalesce(new.taken, '{}'))`,
    [
      written.map(({ memberId }) => memberId),
      written.map(({ channel }) => channel),
      written.map(({ isGiven }) => isGiven),
    ],
  );
}

/** Vouches for a member as it is written down. */
export async function vouchForMember(tx: Tx, memberId: number): Promise<void> {
  await prepared(
    tx,
    `update members set vouched_for = array_remove(array['record',
       case when email is not null then 'email' end, case when phone is not null then 'phone' end], null)
     where id = ?`,
    [memberId],
  );
}
