import type { Knex } from 'knex';

/** Indexes for listing chats and assignments by their workflow definition. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index chats_definition on chats (workspace_id, definition_id, id) where definition_id is not null;
    create index assignments_definition on assignments (workspace_id, definition_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index chats_definition, assignments_definition');
}
