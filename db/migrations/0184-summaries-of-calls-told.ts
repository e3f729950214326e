import type { Knex } from 'knex';

/** When the summary of a call was told by `call:summary`, so that it is told once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table phone_calls add column summary_told_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table phone_calls drop column summary_told_at');
}
