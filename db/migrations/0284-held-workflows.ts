import type { Knex } from 'knex';
import { addIndex, givingWay } from './while-in-use.js';

export const config = { transaction: false };

/** Finds the held workflows of a workspace, of which there are few. */
export async function up(knex: Knex): Promise<void> {
  await addIndex(
    knex,
    'workflow_definitions_held',
    'workflow_definitions (workspace_id) where held_at is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await givingWay(knex, 'drop index if exists workflow_definitions_held');
}
