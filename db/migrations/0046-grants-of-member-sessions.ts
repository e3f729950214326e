import type { Knex } from 'knex';

const permission = 'members:impersonate';

/**
 * What a member token was made for: all that its member's role held then, and what of it the token gives. A token, or a
 * session made of one, whose role holds more by now is over (docs/decisions/0061-sessions-of-members.md). And the
 * permission to make tokens goes to the roles that sign people up and manage them already.
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
  await knex.raw('update member_roles set permissions = array_remove(permissions, ?)', [permission]);
  for (const table of ['identity.member_tokens', 'identity.sessions']) {
    await knex.raw(`alter table ${table} drop column role_grants, drop column granted`);
  }
}
