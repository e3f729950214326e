import type { Knex } from 'knex';

/** How often a workspace calls a number within 24 hours. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table identity.workspaces
       add column calls_per_day integer not null default 5 check (calls_per_day between 1 and 20)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column calls_per_day');
}
