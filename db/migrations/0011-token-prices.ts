import type { Knex } from 'knex';

const multipliers = ['multiplier', 'input_multiplier', 'output_multiplier', 'cached_multiplier'];

/** The multipliers by which a model call was billed are stored with it; earlier calls were billed with 1. */
export async function up(knex: Knex): Promise<void> {
  const columns = multipliers.map((name) => `add column ${name} double precision not null default 1`);
  await knex.raw(`alter table token_usage ${columns.join(', ')};`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table token_usage ${multipliers.map((name) => `drop column ${name}`).join(', ')};`);
}
