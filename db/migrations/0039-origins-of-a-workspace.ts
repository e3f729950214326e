import type { Knex } from 'knex';

/** The origins of web pages that may read the API's responses for a workspace in a browser (CORS). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table identity.workspaces add column allowed_origins text[] not null default '{}'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column allowed_origins');
}
