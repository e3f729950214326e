import type { Knex } from 'knex';

/** The ids of the members that an import has made. An import that was begun by an earlier release has only those of later rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table member_imports add column created_members jsonb not null default '[]'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table member_imports drop column created_members');
}
