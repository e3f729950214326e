import type { Knex } from 'knex';

/** What emails of a workspace say of where it is reached by post. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces add column postal_address text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column postal_address');
}
