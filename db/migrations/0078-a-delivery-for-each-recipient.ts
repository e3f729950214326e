import type { Knex } from 'knex';

/**
 * A message has a delivery for each of its recipients (docs/decisions/0125-a-port-for-each-channel.md). SMS has one, which is
 * all that the previous release writes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unique index deliveries_of_message on deliveries (workspace_id, message_id, channel, recipient);
    alter table deliveries drop constraint deliveries_workspace_id_message_id_key;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries add constraint deliveries_workspace_id_message_id_key unique (workspace_id, message_id);
    drop index deliveries_of_message;
  `);
}
