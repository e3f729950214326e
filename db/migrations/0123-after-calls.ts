import type { Knex } from 'knex';

/** How a task goes on after a call; null: as the task above it (docs/decisions/0144-a-call-holds-the-floor.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table workflow_tasks add column after_call text check (after_call in ('text', 'stand'))`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table workflow_tasks drop column after_call');
}
