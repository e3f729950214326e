import type { Knex } from 'knex';

/**
 * Why nothing can move the assignment of a chat, a code of `domain/kernel/call-person.ts`; null while something can.
 * A colleague is alerted once for each reason, and an answer of the agent does not dismiss the alert.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table chats add column standing_reason text;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table chats drop column standing_reason;');
}
