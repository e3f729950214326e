import type { Knex } from 'knex';

/**
 * The relay serves the workspaces in turn, for each kind of run: it finds the next workspace, and takes the oldest due
 * entry there. Entries without a workspace are served as those of a workspace 0. Postponed entries come after the due
 * ones in the index, so none of them is read, however many there are.
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
