import type { Knex } from 'knex';

/** How the agent listens and speaks in calls, by task; null: as the task above it (docs/decisions/0162-settings-of-calls.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table workflow_tasks add column realtime_model_config jsonb');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table workflow_tasks drop column realtime_model_config');
}
