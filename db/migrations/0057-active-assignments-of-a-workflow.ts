import type { Knex } from 'knex';

/**
 * The index by which publishing counts where the active assignments of a workflow stand. It has no column that a step
 * changes, so that steps need no write to it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index assignments_active_of_definition on assignments (workspace_id, definition_id, id)
      where status = 'active';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index assignments_active_of_definition');
}
