import type { Knex } from 'knex';

/**
 * The relay gives workspaces turns, for each kind of run: it looks for the next workspace, and takes the oldest of what is
 * due there. What belongs to no workspace has the turn of a workspace 0. Entries that are put off stand behind those that
 * are due, so however many there are, none is looked at.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index outbox_available_at_id_idx;
    drop index outbox_workspace_id_id_idx;
    create index outbox_awaited on outbox (coalesce(workspace_id, 0), available_at, id)
      where run_type <> 'deliverWebhook' and parked_at is null;
    create index outbox_webhooks on outbox (coalesce(workspace_id, 0), available_at, id)
      where run_type = 'deliverWebhook' and parked_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index outbox_awaited;
    drop index outbox_webhooks;
    create index on outbox (available_at, id) where parked_at is null;
    create index on outbox (workspace_id, id) where run_type = 'deliverWebhook' and parked_at is null;
  `);
}
