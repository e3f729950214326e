import type { Knex } from 'knex';

/** The countries that a workspace calls; null: that of the number that it calls from. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces add column call_countries text[]');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column call_countries');
}
