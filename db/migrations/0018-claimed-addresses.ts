import type { Knex } from 'knex';

/**
 * Members claim addresses, and the proof of an address must find its claims over all workspaces. Members are under
 * policies: two functions of the owner bypass them, and return only ids
 * (docs/decisions/0043-accounts-behind-members.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- An account of one member that nobody has signed in to: it has no address of its own.
    alter table identity.accounts
      add column stands_alone boolean not null default false,
      add constraint accounts_stands_alone_check
        check (not stands_alone or (email is null and phone is null));

    -- Where no account has the address of a code, the member that says so.
    alter table identity.login_codes
      add column claimant_workspace_id bigint references identity.workspaces (id),
      add column claimant_member_id bigint,
      add constraint login_codes_claimant_check check (
        (claimant_workspace_id is null) = (claimant_member_id is null)
        and (account_id is null or claimant_member_id is null)
      );

    create index members_claimed_email on members (email) where deleted_at is null and kind = 'human';
    create index members_claimed_phone on members (phone) where deleted_at is null and kind = 'human';

    create function identity.members_claiming(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id from public.members m
        where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
          and m.deleted_at is null and m.kind = 'human'
      $$;

    -- The same, and nobody changes or deletes these members until the transaction ends.
    create function identity.hold_members_claiming(channel text, address text)
      returns table (workspace_id bigint, member_id bigint)
      language sql volatile security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.workspace_id, m.id from public.members m
        where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
          and m.deleted_at is null and m.kind = 'human'
        order by m.id for no key update
      $$;

    revoke execute on function identity.members_claiming(text, text), identity.hold_members_claiming(text, text)
      from public;
    grant execute on function identity.members_claiming(text, text), identity.hold_members_claiming(text, text)
      to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function identity.hold_members_claiming(text, text), identity.members_claiming(text, text);
    drop index members_claimed_email, members_claimed_phone;
    alter table identity.login_codes
      drop constraint login_codes_claimant_check,
      drop column claimant_workspace_id,
      drop column claimant_member_id;
    alter table identity.accounts
      drop constraint accounts_stands_alone_check,
      drop column stands_alone;
  `);
}
