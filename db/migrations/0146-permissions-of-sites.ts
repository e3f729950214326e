import type { Knex } from 'knex';

const permissions = ['sites:read', 'sites:write'];

/** Roles that manage workspaces get the permissions of sites, which nobody could grant otherwise. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `update member_roles set permissions = permissions || array(
       select granted from unnest(?::text[]) as granted where not granted = any(permissions))
     where permissions @> array['workspace:write', 'roles:write']`,
    [permissions],
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `update member_roles set permissions = array(
       select kept from unnest(permissions) as kept where not kept = any(?::text[]))
     where permissions && ?::text[]`,
    [permissions, permissions],
  );
}
