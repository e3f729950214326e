import type { Knex } from 'knex';

/** Until when an ended key is not forgotten, because messages that are sent later ask whether it was revoked. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.api_keys add column needed_until timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.api_keys drop column needed_until');
}
