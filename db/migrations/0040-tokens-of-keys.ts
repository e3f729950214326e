import type { Knex } from 'knex';

/**
 * The API key that created a member token, also in the session that the token started: revoking the key ends both.
 * Tokens and sessions of the last release have no key, and end after their own, shorter life span.
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
