import type { Knex } from 'knex';

/**
 * One index for both look-ups of rules: the event types for which a workspace has rules, including disabled ones, and
 * the enabled rules of a type.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index event_rules_types on event_rules (workspace_id, enabled, event_type) where deleted_at is null;
     drop index event_rules_workspace_id_event_type_idx;`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `create index on event_rules (workspace_id, event_type) where enabled and deleted_at is null;
     drop index event_rules_types;`,
  );
}
