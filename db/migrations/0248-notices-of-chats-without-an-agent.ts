import type { Knex } from 'knex';

/** `agent_silent` was also said of chats without an agent, which are `no_agent` now: who is told of one is told of both. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update identity.workspaces
    set handoff_notices = jsonb_set(handoff_notices, '{reasons}', handoff_notices -> 'reasons' || '["no_agent"]')
    where handoff_notices -> 'reasons' @> '["agent_silent"]' and not handoff_notices -> 'reasons' @> '["no_agent"]'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update identity.workspaces
    set handoff_notices = jsonb_set(handoff_notices, '{reasons}', (handoff_notices -> 'reasons') - 'no_agent')
    where handoff_notices -> 'reasons' @> '["no_agent"]'
  `);
}
