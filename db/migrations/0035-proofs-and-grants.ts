import type { Knex } from 'knex';

const permission = 'members:impersonate';

/**
 * The permissions of a member token: all that its member's role had when the token was created, and those of them that
 * the token grants. A token, or a session started with one, is no longer valid once its role has more permissions
 * (docs/decisions/0061-sessions-of-members.md). The permission to create tokens goes to the roles that can already sign
 * up and manage people.
 *
 * Login codes are distinguished by their requester, are derived from a random column as well, and may be for an address
 * that an account is to get. A membership has a uuid and accepted terms of its own, so that workspaces cannot compare
 * them.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of ['identity.member_tokens', 'identity.sessions']) {
    await knex.raw(`
      alter table ${table} add column role_grants text[], add column granted text[];
      update ${table} t set role_grants = r.permissions, granted = r.permissions
      from members m join member_roles r on r.workspace_id = m.workspace_id and r.id = m.member_role_id
      where m.workspace_id = t.workspace_id and m.id = t.member_id;
    `);
  }
  await knex.raw(`
    alter table identity.login_codes
      add column requester_hash bytea,
      add column nonce bytea,
      add column for_account_id bigint references identity.accounts (id) on delete cascade,
      add column new_address text,
      add constraint login_codes_new_address_check check ((for_account_id is null) = (new_address is null));

    alter table identity.memberships
      add column account_alias uuid not null default gen_random_uuid(),
      add column tos_accepted boolean not null default false;
    -- The last release told workspaces the uuid of the account itself.
    update identity.memberships m
    set account_alias = a.uuid, tos_accepted = a.tos_accepted and a.signup_workspace_id = m.workspace_id
    from identity.accounts a where a.id = m.account_id and a.signup_workspace_id is not null;
  `);
  await knex.raw(
    `update identity.sessions set expires_at = least(expires_at, created_at + interval '14 days')
     where member_id is not null`,
  );
  await knex.raw(
    `update member_roles set permissions = permissions || ?::text
     where permissions @> array['account:create', 'members:write'] and not permissions @> array[?::text]`,
    [permission, permission],
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.memberships drop column account_alias, drop column tos_accepted;
    delete from identity.login_codes where for_account_id is not null;
    alter table identity.login_codes
      drop constraint login_codes_new_address_check,
      drop column requester_hash,
      drop column nonce,
      drop column for_account_id,
      drop column new_address;
  `);
  await knex.raw('update member_roles set permissions = array_remove(permissions, ?)', [permission]);
  for (const table of ['identity.member_tokens', 'identity.sessions']) {
    await knex.raw(`alter table ${table} drop column role_grants, drop column granted`);
  }
}
