import type { Knex } from 'knex';

/**
 * The first read of a chat includes its parts. Parts that are stored in the transaction that inserts the chat (named in
 * `app.new_chats`), before any change of it is numbered, belong to its initial state, revision 0, and are no change of
 * it: the chat is not updated for them, and no reader is notified. The chat is not looked up either, because PostgreSQL
 * may search all chats of the workspace while a table has no statistics.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function name_new_chat() returns trigger language plpgsql as $$
    begin
      perform set_config('app.new_chats', concat(current_setting('app.new_chats', true), ' ', new.id), true);
      return new;
    end $$;
    create trigger b_name before insert on chats for each row execute function name_new_chat();
    ${stampChatOfPart(`
      if ${names('app.new_chats')} and not ${names('app.changed_chats')} then return null; end if;`)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${stampChatOfPart('')}
    drop trigger b_name on chats;
    drop function name_new_chat();
  `);
}

/** The function of migration 0046, with `before` inserted ahead of its update. */
function stampChatOfPart(before: string): string {
  return `
    create or replace function stamp_chat_of_part() returns trigger language plpgsql as $$
    declare
      part record;
    begin
      if tg_op = 'DELETE' then part := old; else part := new; end if;${before}
      update chats set revision = revision + 1, changed_revision = revision + 1
      where workspace_id = part.workspace_id and id = part.chat_id
        and not (revision = changed_revision and ${names('app.changed_chats')});
      return null;
    end $$;`;
}

/** A condition that the setting names the part's chat. */
function names(setting: string): string {
  return `(concat(current_setting('${setting}', true), ' ') like concat('% ', part.chat_id, ' %'))`;
}
