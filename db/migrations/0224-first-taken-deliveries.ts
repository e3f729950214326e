import type { Knex } from 'knex';

/** A message that its provider took, refused later and took again is told of once (`message:sent`). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table deliveries add column taken_at timestamptz;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table deliveries drop column taken_at;');
}
