import type { Knex } from 'knex';

const permissions = ['event_rules:read', 'event_rules:write'];

/**
 * Grants the permissions for event rules to the roles that can manage workspaces already: a member cannot grant
 * permissions that it lacks, so in workspaces older than these permissions nobody ever could.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `update member_roles set permissions = permissions || ?::text[]
     where permissions @> array['workspace:write', 'roles:write'] and not permissions && ?::text[]`,
    [permissions, permissions],
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const permission of permissions) {
    await knex.raw('update member_roles set permissions = array_remove(permissions, ?)', [permission]);
  }
}
