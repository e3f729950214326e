import type { Knex } from 'knex';

/** When nothing is sent that an agent or a task begins: a setting of the workspace (docs/decisions/0138-quiet-hours.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces add column quiet_hours jsonb');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column quiet_hours');
}
