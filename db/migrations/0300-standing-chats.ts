import type { Knex } from 'knex';
import { addIndex, givingWay } from './while-in-use.js';

export const config = { transaction: false };

/** Finds the chats of a workspace whose assignments nothing can move, of which there are few. */
export async function up(knex: Knex): Promise<void> {
  await addIndex(knex, 'chats_standing', 'chats (workspace_id, id) where standing_reason is not null');
}

export async function down(knex: Knex): Promise<void> {
  await givingWay(knex, 'drop index if exists chats_standing');
}
