import type { Knex } from 'knex';

/**
 * Readers see a transaction as a whole, so the changes of a chat's participants, labels and tasks in one transaction
 * are one change of the chat: where the transaction has just numbered a change (`app.changed_chats` names the chat, and
 * its last revision is a change), the next one is part of it. This saves updates: PostgreSQL checks all foreign keys of
 * a row again for each update in the transaction that inserted it, and a chat has seven.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    stampChatOfPart(`
        and not (revision = changed_revision
          and concat(current_setting('app.changed_chats', true), ' ') like concat('% ', part.chat_id, ' %'))`),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(stampChatOfPart(''));
}

function stampChatOfPart(condition: string): string {
  return `
    create or replace function stamp_chat_of_part() returns trigger language plpgsql as $$
    declare
      part record;
    begin
      if tg_op = 'DELETE' then part := old; else part := new; end if;
      update chats set revision = revision + 1, changed_revision = revision + 1
      where workspace_id = part.workspace_id and id = part.chat_id${condition};
      return null;
    end $$;`;
}
