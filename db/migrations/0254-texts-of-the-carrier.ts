import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

/**
 * What the carrier's list says of the texts of a workspace: no number and no words. They outlive messages and deliveries,
 * because a bill does. And from when on a list has been read.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${tenantTable(
      'carrier_texts',
      `carrier_message_id text not null,
       inbound boolean not null,
       sent_at timestamptz not null,
       segments integer not null,
       price double precision,
       price_unit text,
       unique (workspace_id, carrier_message_id)`,
    )}
    create index on carrier_texts (workspace_id, sent_at);
    alter table identity.walks add column looked_from timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table carrier_texts; alter table identity.walks drop column looked_from');
}
