import type { Knex } from 'knex';

/**
 * How long a workspace keeps chats and files (docs/decisions/0120-workspaces-say-how-long-they-keep-chats-and-files.md).
 * A chat is forgotten until something happens in it again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.workspaces
      add column chat_retention_days integer check (chat_retention_days between 7 and 3650),
      add column file_retention_days integer check (file_retention_days between 7 and 3650);
    alter table chats add column forgotten_at timestamptz;
    create index chats_to_forget on chats (workspace_id, updated_at, id) where forgotten_at is null;
    create index files_to_forget on files (workspace_id, updated_at, id) where access = 'private';
    -- Deleting messages looks for tasks that refer to them.
    create index on assignment_tasks (workspace_id, message_id) where message_id is not null;
    create function remember_chat() returns trigger language plpgsql as $$
    begin
      new.forgotten_at := null;
      return new;
    end $$;
    create trigger d_remember before update on chats for each row
      when (old.forgotten_at is not null and new.forgotten_at is not distinct from old.forgotten_at)
      execute function remember_chat();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger d_remember on chats;
    drop function remember_chat;
    drop index assignment_tasks_workspace_id_message_id_idx, files_to_forget, chats_to_forget;
    alter table chats drop column forgotten_at;
    alter table identity.workspaces drop column chat_retention_days, drop column file_retention_days;
  `);
}
