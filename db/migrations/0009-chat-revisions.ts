import type { Knex } from 'knex';

/**
 * Columns of a chat whose change is not published by itself: the agent's bookkeeping, the revisions themselves, and
 * values that follow from the messages, which are published one by one. All other columns, including those of later
 * migrations, are visible to clients.
 */
const untold = [
  'version',
  'handled_version',
  'revision',
  'changed_revision',
  'message_count',
  'last_message_received_at',
  'updated_at',
];

/**
 * Every change of a chat that its readers see has a number. `chats.revision` counts the changes under the chat's row
 * lock, so that the order of the numbers is the order of the commits, and each changed row carries its number. Triggers
 * do this, so that no code path can forget it. They also maintain the count of messages, and list the chats that the
 * transaction has changed (`app.changed_chats`, read at the commit by `db/transaction.ts`).
 */
export async function up(knex: Knex): Promise<void> {
  const visible = (row: string) => `to_jsonb(${row}) - '{${untold.join(',')}}'::text[]`;
  await knex.raw(`
    alter table chats add revision integer not null default 0, add changed_revision integer not null default 0;
    alter table messages add created_revision integer not null default 0, add revision integer not null default 0;

    update messages set created_revision = numbered.place, revision = numbered.place
    from (select id, row_number() over (partition by chat_id order by id) as place from messages) as numbered
    where messages.id = numbered.id;
    update chats set revision = counted.messages
    from (select chat_id, count(*) as messages from messages group by chat_id) as counted
    where chats.id = counted.chat_id;

    create index on messages (workspace_id, chat_id, created_revision);
    create index on messages (workspace_id, chat_id, revision) where revision > created_revision;

    create function stamp_message() returns trigger language plpgsql as $$
    declare
      raised integer;
    begin
      update chats set
        revision = revision + 1,
        message_count = message_count + case
          when tg_op = 'INSERT' and new.role in ('user', 'assistant') and new.content is not null then 1 else 0 end
      where workspace_id = new.workspace_id and id = new.chat_id
      returning revision into raised;
      -- Without such a chat the foreign key refuses the row.
      new.revision := coalesce(raised, 0);
      if tg_op = 'INSERT' then
        new.created_revision := new.revision;
      end if;
      return new;
    end $$;
    create trigger stamp before insert or update on messages for each row execute function stamp_message();

    create function stamp_chat() returns trigger language plpgsql as $$
    begin
      new.revision := old.revision + 1;
      new.changed_revision := new.revision;
      return new;
    end $$;
    create trigger a_stamp before update on chats for each row
      when (old.revision = new.revision and (${visible('old')}) is distinct from (${visible('new')}))
      execute function stamp_chat();

    create function tell_chat() returns trigger language plpgsql as $$
    begin
      perform set_config('app.changed_chats', concat(current_setting('app.changed_chats', true), ' ', new.id), true);
      return new;
    end $$;
    create trigger b_tell before update on chats for each row
      when (old.revision is distinct from new.revision) execute function tell_chat();

    create function stamp_chat_of_part() returns trigger language plpgsql as $$
    declare
      part record;
    begin
      if tg_op = 'DELETE' then part := old; else part := new; end if;
      update chats set revision = revision + 1, changed_revision = revision + 1
      where workspace_id = part.workspace_id and id = part.chat_id;
      return null;
    end $$;
    create trigger stamp_chat after insert or update or delete on chat_participants
      for each row execute function stamp_chat_of_part();
    create trigger stamp_chat after insert or update or delete on chat_label_links
      for each row execute function stamp_chat_of_part();
    create trigger stamp_chat after insert or update of current_task_id on assignments
      for each row execute function stamp_chat_of_part();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger stamp_chat on assignments;
    drop trigger stamp_chat on chat_label_links;
    drop trigger stamp_chat on chat_participants;
    drop trigger b_tell on chats;
    drop trigger a_stamp on chats;
    drop trigger stamp on messages;
    drop function stamp_message, stamp_chat, tell_chat, stamp_chat_of_part;
    alter table messages drop created_revision, drop revision;
    alter table chats drop revision, drop changed_revision;
  `);
}
