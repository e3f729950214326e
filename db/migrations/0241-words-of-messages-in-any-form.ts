import type { Knex } from 'knex';
import { indexOfWords, searchOfMessages, textOfMessage, wordsOfMessage } from './0083-words-of-messages.js';

/**
 * Messages are searched by their folded words (0240), by an index of its own. Messages cannot be written while it is
 * built. The last release searches by the same function, with the words as they are written, which are folded there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${indexOfWords('messages_folded_words', foldedWords)}
    ${searchOfMessages(foldedWords, `public.search_text(words::text, true, false)::tsquery`)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${searchOfMessages(wordsOfMessage, 'words')}
    drop index messages_folded_words;
  `);
}

/** Bounded once more, because codes of characters are longer than the characters, and PostgreSQL takes 1 MB of words. */
const foldedWords = `to_tsvector('pg_catalog.simple'::regconfig,
  left(public.search_text(${textOfMessage}, true, false), 600000))`;
