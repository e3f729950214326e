import type { Knex } from 'knex';

/** Finds the held workflows of a workspace, of which there are few. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index workflow_definitions_held on workflow_definitions (workspace_id) where held_at is not null`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index workflow_definitions_held');
}
