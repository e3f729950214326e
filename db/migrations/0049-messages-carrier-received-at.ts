import type { Knex } from 'knex';

/**
 * When the carrier received a message whose webhook did not arrive; null: when it was stored. STOP and START take effect
 * in the order in which they were sent, not in the order in which they were found.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table messages add column carrier_received_at timestamptz;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table messages drop column carrier_received_at;');
}
