import type { Knex } from 'knex';

/** The chat of a site greets in the language of the page, and names colleagues only where the workspace wants it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sites
      add column chat_greeting_translations jsonb not null default '{}',
      add column chat_shows_names boolean not null default false
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sites drop column chat_greeting_translations, drop column chat_shows_names');
}
