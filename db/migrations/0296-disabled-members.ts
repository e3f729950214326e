import type { Knex } from 'knex';
import { addIndex, givingWay } from './while-in-use.js';

export const config = { transaction: false };

/** Few are: a list of them reads no others. */
export async function up(knex: Knex): Promise<void> {
  await addIndex(
    knex,
    'members_disabled',
    'members (workspace_id, id) where disabled_at is not null and deleted_at is null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await givingWay(knex, 'drop index if exists members_disabled');
}
