import type { Knex } from 'knex';

/**
 * An address from a form stays in the row of its member, whatever is proved
 * (docs/decisions/0060-identifiers-are-bound-by-proof.md): one that is barred signs nobody in and attributes no message,
 * as one that is not in the row; one that is disputed was proved by somebody else and has left the row. Access by a token
 * that was given before another form brought data is sealed: it reads no record that was written since.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table unproved_identifiers add column barred_at timestamptz, add column disputed_at timestamptz;
    alter table identity.sessions add column sealed_at timestamptz;
    alter table identity.member_tokens add column sealed_at timestamptz;

    create or replace function identity.members_claiming(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id from public.members m
        where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
          and m.deleted_at is null and m.kind = 'human'
          and not exists (
            select from public.unproved_identifiers u
            where u.workspace_id = m.workspace_id and u.member_id = m.id and u.channel = $1 and u.address = $2
              and u.barred_at is not null)
      $$;

    create or replace function identity.hold_members_claiming(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql volatile security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id from public.members m
        where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
          and m.deleted_at is null and m.kind = 'human'
          and not exists (
            select from public.unproved_identifiers u
            where u.workspace_id = m.workspace_id and u.member_id = m.id and u.channel = $1 and u.address = $2
              and u.barred_at is not null)
        order by m.id for no key update of m
      $$;

    create or replace function identity.members_pending(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id
        from public.unproved_identifiers u
        join public.members m on m.workspace_id = u.workspace_id and m.id = u.member_id
        where u.address = $2 and u.channel = $1 and m.deleted_at is null and m.kind = 'human'
          and (u.barred_at is not null or (case when $1 = 'email' then m.email else m.phone end) is distinct from $2)
      $$;

    -- Members whose row has an address that is barred. It tells ids, like those of migration 0018.
    create function identity.members_barred(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id
        from public.unproved_identifiers u
        join public.members m on m.workspace_id = u.workspace_id and m.id = u.member_id
        where u.address = $2 and u.channel = $1 and u.barred_at is not null
          and m.deleted_at is null and m.kind = 'human'
          and (case when $1 = 'email' then m.email else m.phone end) = $2
      $$;
    revoke execute on function identity.members_barred(text, text) from public;
    grant execute on function identity.members_barred(text, text) to wes_app;

    -- What the last release took out of a row comes back, barred. It was written with the member; what a later form gave
    -- was never there. Of several members that gave an address, the oldest has it.
    create temporary table coming_back on commit drop as
      select distinct on (u.workspace_id, u.channel, u.address)
        u.id, u.workspace_id, u.member_id, u.channel, u.address
      from unproved_identifiers u
      join members m on m.workspace_id = u.workspace_id and m.id = u.member_id
      where m.deleted_at is null and m.kind = 'human' and u.created_at < m.created_at + interval '1 minute'
        and (case when u.channel = 'email' then m.email else m.phone end) is null
        and not exists (select from members o where o.workspace_id = u.workspace_id and o.deleted_at is null
          and u.channel = 'email' and o.email = u.address)
        and not exists (select from members o where o.workspace_id = u.workspace_id and o.deleted_at is null
          and u.channel = 'phone' and o.phone = u.address)
      order by u.workspace_id, u.channel, u.address, u.member_id, u.id;
    delete from coming_back b using coming_back earlier
      where earlier.workspace_id = b.workspace_id and earlier.member_id = b.member_id
        and earlier.channel = b.channel and earlier.id < b.id;
    update unproved_identifiers u set barred_at = now() from coming_back b where u.id = b.id;
    update members m set email = b.address from coming_back b
      where b.channel = 'email' and m.workspace_id = b.workspace_id and m.id = b.member_id;
    update members m set phone = b.address from coming_back b
      where b.channel = 'phone' and m.workspace_id = b.workspace_id and m.id = b.member_id;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The release before knows no address in a row that is barred.
    update members m set email = null from unproved_identifiers u
      where u.workspace_id = m.workspace_id and u.member_id = m.id and u.barred_at is not null
        and u.channel = 'email' and u.address = m.email;
    update members m set phone = null from unproved_identifiers u
      where u.workspace_id = m.workspace_id and u.member_id = m.id and u.barred_at is not null
        and u.channel = 'phone' and u.address = m.phone;

    drop function identity.members_barred(text, text);
    create or replace function identity.members_pending(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id
        from public.unproved_identifiers u
        join public.members m on m.workspace_id = u.workspace_id and m.id = u.member_id
        where u.address = $2 and u.channel = $1 and m.deleted_at is null and m.kind = 'human'
          and (case when $1 = 'email' then m.email else m.phone end) is distinct from $2
      $$;
    create or replace function identity.members_claiming(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id from public.members m
        where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
          and m.deleted_at is null and m.kind = 'human'
      $$;
    create or replace function identity.hold_members_claiming(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql volatile security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id from public.members m
        where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
          and m.deleted_at is null and m.kind = 'human'
        order by m.id for no key update
      $$;
    alter table identity.member_tokens drop column sealed_at;
    alter table identity.sessions drop column sealed_at;
    alter table unproved_identifiers drop column disputed_at, drop column barred_at;
  `);
}
