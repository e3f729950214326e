import type { Knex } from 'knex';

/**
 * The one key of the pseudonyms in ID tokens (docs/decisions/0196-pseudonyms-have-a-key-of-their-own.md), encrypted. The
 * first process that needs it stores it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.oauth_subject_keys (
      id bigint primary key default 1 check (id = 1),
      subject_key bytea not null,
      created_at timestamptz not null
    );
    grant select, insert, update on identity.oauth_subject_keys to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table identity.oauth_subject_keys');
}
