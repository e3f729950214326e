import type { Knex } from 'knex';

/** Workspaces that are told of handoffs only, as was the default, are told of tool calls that wait for approval as well. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update identity.workspaces
    set handoff_notices = jsonb_set(handoff_notices, '{reasons}', '["handoff", "approval"]')
    where handoff_notices -> 'reasons' = '["handoff"]'::jsonb
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update identity.workspaces
    set handoff_notices = jsonb_set(handoff_notices, '{reasons}', '["handoff"]')
    where handoff_notices -> 'reasons' = '["handoff", "approval"]'::jsonb
  `);
}
