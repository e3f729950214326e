import type { Knex } from 'knex';

/**
 * Indexes for measuring the outbox every few seconds: its oldest waiting entry, and its dead-lettered entries
 * (`parked_at`).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index outbox_awaited_age on outbox (created_at)
      where run_type <> 'deliverWebhook' and parked_at is null;
    create index outbox_parked on outbox (run_type) where parked_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index outbox_awaited_age; drop index outbox_parked;');
}
