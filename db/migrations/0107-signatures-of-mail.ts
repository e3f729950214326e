import type { Knex } from 'knex';

/**
 * The secrets of inboxes, encrypted, so that signatures of mail can be checked
 * (docs/decisions/0134-received-mail-is-kept-first.md). Null where only the hash of the secret is known: then signatures
 * are refused until the secret is rotated.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table inboxes add column inbound_secret bytea, add column previous_secret bytea');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table inboxes drop column inbound_secret, drop column previous_secret');
}
