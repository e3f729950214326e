import type { Knex } from 'knex';

/** Files that are icons of sites by their name: visitors make the service look for one in a folder that may have many files. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index files_icons on files (workspace_id, folder_id, id)
      where filename in ('favicon.svg', 'favicon.png', 'favicon.gif', 'favicon.jpg');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index files_icons');
}
