import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/**
 * The member that paused a chat explicitly or by a reply to its member. Null: the chat is not paused, an agent or a
 * task handed it over, or the pause is older than this column.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table chats add column paused_by_member_id bigint;
     alter table chats add constraint chats_paused_by_member_key ${tenantKey('paused_by_member_id', 'members')};`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table chats drop column paused_by_member_id;');
}
