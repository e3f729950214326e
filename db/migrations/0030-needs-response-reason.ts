import type { Knex } from 'knex';

/** Why a chat needs a person; null where it needs none, and in chats that needed one before this migration. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table chats add column needs_response_reason text;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table chats drop column needs_response_reason;');
}
