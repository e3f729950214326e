import type { Knex } from 'knex';

/**
 * Files of messages, as they were when the message was sent, and which messages wait for media of the carrier
 * (docs/decisions/0118-messages-say-which-files-they-carried.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table messages
      add column files jsonb not null default '[]',
      add column media_awaited_since timestamptz;
    create index messages_awaiting_media on messages (workspace_id, id) where media_awaited_since is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table messages drop column files, drop column media_awaited_since');
}
