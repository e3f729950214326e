import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * Addresses of members that a sign-up form gave and that are unproved
 * (docs/decisions/0060-identifiers-are-bound-by-proof.md). An address that is in the member's row as well is in use;
 * any other is pending.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${tenantTable(
      'unproved_identifiers',
      `member_id bigint not null,
       channel text not null check (channel in ('email', 'phone')),
       address text not null,
       created_at timestamptz not null default now(),
       unique (workspace_id, member_id, channel, address),
       ${tenantKey('member_id', 'members', 'on delete cascade')}`,
    )}
    create index on unproved_identifiers (address);

    -- Members that the last release signed up, and that nobody has signed in as or written a message as by SMS:
    -- the first proof decides whose they are.
    insert into unproved_identifiers (workspace_id, member_id, channel, address)
    select m.workspace_id, m.id, said.channel, said.address
    from members m
    join identity.memberships s on s.workspace_id = m.workspace_id and s.member_id = m.id
    join identity.accounts a on a.id = s.account_id and a.stands_alone
    cross join lateral (values ('email', m.email), ('phone', m.phone)) as said (channel, address)
    where m.deleted_at is null and m.kind = 'human' and said.address is not null
      and not exists (
        select from chats c join messages g on g.workspace_id = c.workspace_id and g.chat_id = c.id
        where c.workspace_id = m.workspace_id and c.member_id = m.id and c.channel = 'phone-sms' and g.role = 'user'
      );

    -- Members for whom an address is pending. It tells ids, like those of migration 0018.
    create function identity.members_pending(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id
        from public.unproved_identifiers u
        join public.members m on m.workspace_id = u.workspace_id and m.id = u.member_id
        where u.address = $2 and u.channel = $1 and m.deleted_at is null and m.kind = 'human'
          and (case when $1 = 'email' then m.email else m.phone end) is distinct from $2
      $$;
    revoke execute on function identity.members_pending(text, text) from public;
    grant execute on function identity.members_pending(text, text) to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function identity.members_pending(text, text);
    drop table unproved_identifiers;
  `);
}
