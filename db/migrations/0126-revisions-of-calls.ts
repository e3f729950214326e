import type { Knex } from 'knex';

/**
 * The state of a call is told to those who follow its chat, as messages are: a change of it has a number of the chat
 * (`chats.revision`, migration 0009). A call that is stored together with its chat belongs to revision 0, as in migration 0048.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table phone_calls add column revision integer not null default 0;
    alter table chats add column call_revision integer not null default 0;
    create index on phone_calls (workspace_id, chat_id, revision);

    create function stamp_call() returns trigger language plpgsql as $$
    declare
      place text := concat('% ', new.chat_id, ' %');
      raised integer;
    begin
      if new.chat_id is null then return new; end if;
      if tg_op = 'INSERT' and concat(current_setting('app.new_chats', true), ' ') like place
        and not concat(current_setting('app.changed_chats', true), ' ') like place then
        return new;
      end if;
      update chats set revision = revision + 1, call_revision = revision + 1
      where workspace_id = new.workspace_id and id = new.chat_id
      returning revision into raised;
      -- Without such a chat the foreign key refuses the row.
      new.revision := coalesce(raised, 0);
      return new;
    end $$;
    create trigger stamp before insert on phone_calls for each row execute function stamp_call();
    create trigger stamp_change before update on phone_calls for each row
      when ((old.chat_id, old.status, old.termination_reason, old.carrier_status, old.failure_detail, old.blocked_reason,
          old.started_at, old.finished_at, old.duration_seconds)
        is distinct from (new.chat_id, new.status, new.termination_reason, new.carrier_status, new.failure_detail,
          new.blocked_reason, new.started_at, new.finished_at, new.duration_seconds))
      execute function stamp_call();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger stamp on phone_calls;
    drop trigger stamp_change on phone_calls;
    drop function stamp_call();
    alter table phone_calls drop column revision;
    alter table chats drop column call_revision;
  `);
}
