import type { Knex } from 'knex';

/** Who wrote a message: `role` is `assistant` for the agent, the workflow and colleagues alike. Null: an earlier release. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table messages add column author text;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table messages drop column author;');
}
