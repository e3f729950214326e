import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The two members of a direct chat, the lower id first: a pair has one.
    alter table chats add dm_key text;
    create unique index chats_dm_key_key on chats (workspace_id, dm_key);
    -- As lists are sorted unless told otherwise, and days are counted.
    create index on chats (workspace_id, created_at desc nulls last, id desc);
    create index on chat_label_links (workspace_id, chat_label_id);
    create index messages_with_tool_calls on messages (workspace_id, chat_id) where tool_calls <> '[]';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index messages_with_tool_calls, chat_label_links_workspace_id_chat_label_id_idx,
      chats_workspace_id_created_at_id_idx;
    alter table chats drop dm_key;
  `);
}
