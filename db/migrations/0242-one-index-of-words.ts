import type { Knex } from 'knex';
import { indexOfWords, wordsOfMessage } from './0083-words-of-messages.js';

/** The index that 0241 replaces. It goes in a transaction of its own, which does not keep those waiting who read messages. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index messages_words');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(indexOfWords('messages_words', wordsOfMessage));
}
