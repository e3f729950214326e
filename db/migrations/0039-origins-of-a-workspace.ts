import type { Knex } from 'knex';

/** The web pages, by origin, that may read a workspace's answers in a browser. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table identity.workspaces add column allowed_origins text[] not null default '{}'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column allowed_origins');
}
