import type { Knex } from 'knex';

/** When calls are taken, by phone number and by default for the workspace, and what a number says first. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table phone_numbers add column business_hours jsonb, add column greeting text');
  await knex.raw('alter table identity.workspaces add column business_hours jsonb');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table phone_numbers drop column business_hours, drop column greeting');
  await knex.raw('alter table identity.workspaces drop column business_hours');
}
