import type { Knex } from 'knex';

/** Finds the event types that a workspace has rules of, disabled ones included, without reading deleted rules. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index event_rules_types on event_rules (workspace_id, event_type) where deleted_at is null;`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index event_rules_types;');
}
