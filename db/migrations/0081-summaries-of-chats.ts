import type { Knex } from 'knex';

/**
 * The request that wrote the summary of a chat, so that it writes it once, and the newest message that it had read, so
 * that one that has read less does not replace it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table chats add column summary_request_uuid uuid, add column summary_message_id bigint`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table chats drop column summary_request_uuid, drop column summary_message_id`);
}
