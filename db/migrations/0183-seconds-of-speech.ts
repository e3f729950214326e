import type { Knex } from 'knex';

/** How much speech a model has written down, in the rows of models that are priced by it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table token_usage add column speech_seconds double precision');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table token_usage drop column speech_seconds');
}
