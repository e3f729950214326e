import type { Knex } from 'knex';

/**
 * Lists of deliveries by rule, in order of time, whatever their number, and the deletion of old ones
 * (docs/decisions/0058-what-became-of-events.md). A receiver is deleted once no attempt refers to it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index webhook_deliveries_workspace_id_event_rule_id_id_idx;
    create index webhook_deliveries_by_creation
      on webhook_deliveries (workspace_id, event_rule_id, created_at, id);
    create index webhook_deliveries_by_status
      on webhook_deliveries (workspace_id, event_rule_id, status, created_at, id);
    create index webhook_deliveries_by_completion
      on webhook_deliveries (workspace_id, event_rule_id, completed_at, id);
    create index webhook_deliveries_asked_for
      on webhook_deliveries (workspace_id, event_rule_id, trigger, created_at, id) where trigger <> 'event';
    create index webhook_attempts_by_endpoint on webhook_attempts (workspace_id, webhook_endpoint_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index webhook_attempts_by_endpoint, webhook_deliveries_asked_for, webhook_deliveries_by_completion,
      webhook_deliveries_by_status, webhook_deliveries_by_creation;
    create index on webhook_deliveries (workspace_id, event_rule_id, id);
  `);
}
