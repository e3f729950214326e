import type { Knex } from 'knex';

/** By which the chat of an SMS sender without a phone number is found: a digest, as a name may be that of a person. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table chats add column sender_key text;
    create unique index chats_sender_key on chats (workspace_id, sender_key) where sender_key is not null;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table chats drop column sender_key;');
}
