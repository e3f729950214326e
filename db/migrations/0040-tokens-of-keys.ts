import type { Knex } from 'knex';

/**
 * The API key that a member token was made with, and the session begun by it: revoking the key ends both. Those of the
 * last release do not know their key, and end by their own, shorter, life.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of ['member_tokens', 'sessions']) {
    await knex.raw(`
      alter table identity.${table} add column api_key_id bigint references identity.api_keys (id) on delete set null;
      create index ${table}_api_key on identity.${table} (api_key_id) where api_key_id is not null;
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['member_tokens', 'sessions']) {
    await knex.raw(`alter table identity.${table} drop column api_key_id`);
  }
}
