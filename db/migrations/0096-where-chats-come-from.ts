import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/**
 * The message from which a chat was begun, and the folder in which it is kept. Both keys are not validated: nothing was
 * stored in the columns before, and a scan would hold the locks.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table chats
      add column from_message_id bigint,
      add ${tenantKey('from_message_id', 'messages', 'on delete set null (from_message_id)')} not valid,
      add ${tenantKey('folder_id', 'folders', 'on delete set null (folder_id)')} not valid;
    create index chats_from_message on chats (workspace_id, from_message_id) where from_message_id is not null;
    create index chats_of_folder on chats (workspace_id, folder_id, id) where folder_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index chats_of_folder;
    alter table chats drop column from_message_id, drop constraint chats_workspace_id_folder_id_fkey;
  `);
}
