import type { Knex } from 'knex';

/**
 * What happened in an assignment, in order: the entries into tasks, which were the rows of `assignment_task_visits`, and
 * now everything else. Entries hold ids, codes and times: texts of messages are read from the messages.
 *
 * Triggers note what is a change of a row: the state of a chat, follow-ups, deliveries. Code notes what it decides. An
 * entry carries a number of its chat (`chats.revision`), as messages do, which is their common order. Entries of one
 * transaction share a number, unless a message came between them.
 *
 * The previous release runs on meanwhile: it reads and writes the view.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table assignment_task_visits rename to assignment_timeline_entries;
    alter table assignment_timeline_entries rename column entered_by to caused_by;
    alter table assignment_timeline_entries
      alter column caused_by drop not null,
      alter column assignment_task_id drop not null,
      add column kind text not null default 'entered',
      add column chat_id bigint,
      add column revision integer,
      add column code text,
      add column reason text,
      add column until timestamptz,
      add column message_id bigint,
      add column rule_task_id bigint,
      add column times integer not null default 1;
    alter table chats add column timeline_revision integer not null default 0;
    create index timeline_entries_in_order on assignment_timeline_entries (workspace_id, chat_id, revision, id);
    create index timeline_refusals on assignment_timeline_entries (workspace_id, chat_id, id) where kind = 'refused';

    create view assignment_task_visits with (security_invoker = true) as
      select id, workspace_id, assignment_id, assignment_task_id, from_assignment_task_id, request_uuid,
        caused_by as entered_by, actor_member_id, created_at
      from assignment_timeline_entries where kind = 'entered';
    grant select, insert on assignment_task_visits to wes_app;

    create function stamp_timeline_entry() returns trigger language plpgsql as $$
    declare
      place text;
      is_changed boolean;
    begin
      if new.revision is not null then return new; end if;
      if new.chat_id is null then
        select chat_id into new.chat_id from assignments
        where workspace_id = new.workspace_id and id = new.assignment_id;
      end if;
      place := concat('% ', new.chat_id, ' %');
      is_changed := concat(current_setting('app.changed_chats', true), ' ') like place;
      -- As in migration 0048: what is stored together with a chat belongs to its revision 0.
      if not is_changed and concat(current_setting('app.new_chats', true), ' ') like place then
        new.revision := 0;
        return new;
      end if;
      update chats set revision = revision + 1, timeline_revision = revision + 1
      where workspace_id = new.workspace_id and id = new.chat_id
        and not (is_changed and revision = timeline_revision)
      returning revision into new.revision;
      if new.revision is null then
        select revision into new.revision from chats where workspace_id = new.workspace_id and id = new.chat_id;
      end if;
      return new;
    end $$;
    create trigger stamp before insert on assignment_timeline_entries
      for each row execute function stamp_timeline_entry();

    -- Notes something in the timeline of the chat's assignment, if it has one.
    create function note_in_timeline(
      of_workspace bigint, of_chat bigint, kind text, code text default null, reason text default null,
      until timestamptz default null, message_id bigint default null, actor bigint default null
    ) returns void language sql as $$
      insert into assignment_timeline_entries
        (workspace_id, assignment_id, assignment_task_id, chat_id, kind, code, reason, until, message_id,
         actor_member_id, caused_by)
      select a.workspace_id, a.id, a.current_task_id, a.chat_id, note_in_timeline.kind, note_in_timeline.code,
        note_in_timeline.reason, note_in_timeline.until, note_in_timeline.message_id, actor,
        case
          when actor is null then null
          when actor = a.member_id then 'member'
          when actor = (select assistant_member_id from chats
            where chats.workspace_id = of_workspace and chats.id = of_chat) then 'agent'
          else 'operator'
        end
      from assignments a where a.workspace_id = of_workspace and a.chat_id = of_chat
    $$;

    create function note_chat_state() returns trigger language plpgsql as $$
    declare
      actor bigint := nullif(current_setting('app.acting_member', true), '')::bigint;
    begin
      if new.paused and (not old.paused or new.paused_by_member_id is distinct from old.paused_by_member_id) then
        -- A caller may have given any text as the reason.
        perform note_in_timeline(new.workspace_id, new.id, 'paused', actor => new.paused_by_member_id,
          reason => case when new.paused_reason in ('operator', 'operator_reply', 'handoff', 'member_deleted')
            then new.paused_reason else 'other' end);
      elsif old.paused and not new.paused then
        perform note_in_timeline(new.workspace_id, new.id, 'resumed', actor => actor);
      end if;
      if new.archived is distinct from old.archived then
        perform note_in_timeline(new.workspace_id, new.id,
          case when new.archived then 'archived' else 'unarchived' end, actor => actor);
      end if;
      if new.needs_response
        and (not old.needs_response or new.needs_response_reason is distinct from old.needs_response_reason) then
        perform note_in_timeline(new.workspace_id, new.id, 'needs_response', reason => new.needs_response_reason);
      elsif old.needs_response and not new.needs_response then
        perform note_in_timeline(new.workspace_id, new.id, 'answered', actor => actor);
      end if;
      return null;
    end $$;
    create trigger c_note after update on chats for each row
      when ((old.paused, old.paused_by_member_id, old.archived, old.needs_response, old.needs_response_reason)
        is distinct from (new.paused, new.paused_by_member_id, new.archived, new.needs_response, new.needs_response_reason))
      execute function note_chat_state();

    create function note_follow_up() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform note_in_timeline(new.workspace_id, new.chat_id, 'follow_up_set', until => new.due_at,
          actor => new.scheduled_by_member_id);
      elsif new.fired_at is not null and old.fired_at is null then
        perform note_in_timeline(new.workspace_id, new.chat_id, 'follow_up_came');
      elsif new.cancelled_at is not null and old.cancelled_at is null then
        perform note_in_timeline(new.workspace_id, new.chat_id, 'follow_up_cancelled',
          actor => new.cancelled_by_member_id);
      end if;
      return null;
    end $$;
    create trigger note after insert or update of fired_at, cancelled_at on follow_ups
      for each row execute function note_follow_up();

    create function note_delivery() returns trigger language plpgsql as $$
    begin
      if new.state = 'queued' then
        perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', 'tried_again',
          until => new.not_before, message_id => new.message_id);
      else
        perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', new.state, new.failure_reason,
          message_id => new.message_id);
      end if;
      return null;
    end $$;
    create trigger note after update on deliveries for each row
      when (new.state is distinct from old.state and new.state in ('sent', 'delivered', 'failed')
        or new.state = 'queued' and new.failures > old.failures)
      execute function note_delivery();

    create function note_undeliverable() returns trigger language plpgsql as $$
    begin
      perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', 'failed',
        new.sms_delivery_failure_reason, message_id => new.id);
      return null;
    end $$;
    -- Without a delivery: one that was queued had a status before.
    create trigger note_undeliverable after update on messages for each row
      when (new.sms_delivery_status = 'failed' and old.sms_delivery_status is null)
      execute function note_undeliverable();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger note_undeliverable on messages;
    drop trigger note on deliveries;
    drop trigger note on follow_ups;
    drop trigger c_note on chats;
    drop trigger stamp on assignment_timeline_entries;
    drop function note_undeliverable, note_delivery, note_follow_up, note_chat_state, note_in_timeline,
      stamp_timeline_entry;
    drop view assignment_task_visits;
    drop index timeline_entries_in_order, timeline_refusals;
    delete from assignment_timeline_entries where kind <> 'entered';
    alter table chats drop column timeline_revision;
    alter table assignment_timeline_entries
      drop column kind, drop column chat_id, drop column revision, drop column code, drop column reason,
      drop column until, drop column message_id, drop column rule_task_id, drop column times,
      alter column caused_by set not null,
      alter column assignment_task_id set not null;
    alter table assignment_timeline_entries rename column caused_by to entered_by;
    alter table assignment_timeline_entries rename to assignment_task_visits;
  `);
}
