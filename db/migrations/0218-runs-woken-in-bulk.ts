import type { Knex } from 'knex';

/**
 * The pokes of one change to many runs (`woken`) wait in an index of their own, behind none of the entries for which people
 * wait. The indexes that it replaces mix them; a relay of the previous release reads without one until it is replaced.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table outbox add column woken boolean not null default false;
    create index outbox_interactive on outbox (coalesce(workspace_id, 0), available_at, id)
      where run_type <> 'deliverWebhook' and not woken and parked_at is null;
    create index outbox_woken on outbox (coalesce(workspace_id, 0), available_at, id)
      where woken and parked_at is null;
    create index outbox_interactive_age on outbox (created_at)
      where run_type <> 'deliverWebhook' and not woken and parked_at is null;
    drop index outbox_awaited;
    drop index outbox_awaited_age;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index outbox_awaited on outbox (coalesce(workspace_id, 0), available_at, id)
      where run_type <> 'deliverWebhook' and parked_at is null;
    create index outbox_awaited_age on outbox (created_at)
      where run_type <> 'deliverWebhook' and parked_at is null;
    drop index outbox_interactive, outbox_woken, outbox_interactive_age;
    alter table outbox drop column woken;
  `);
}
