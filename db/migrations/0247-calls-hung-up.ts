import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/** A colleague can hang up a call: who, and when. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table phone_calls add column hung_up_at timestamptz, add column hung_up_by_member_id bigint;
    alter table phone_calls add ${tenantKey('hung_up_by_member_id', 'members')};
    create index phone_calls_hung_up_by on phone_calls (workspace_id, hung_up_by_member_id)
      where hung_up_by_member_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table phone_calls drop column hung_up_at, drop column hung_up_by_member_id;
  `);
}
