import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * What colleagues do with a chat, beside writing in it: who has claimed, paused or archived it is noted when the row changes.
 * `after_message_id` is the last message before, which gives acts and messages one order. A pause is noted also if the
 * agent or the service makes it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${tenantTable(
      'chat_acts',
      `chat_id bigint not null,
       after_message_id bigint not null,
       kind text not null,
       member_id bigint,
       reason text,
       until timestamptz,
       subject_id bigint,
       created_at timestamptz not null default now(),
       ${tenantKey('chat_id', 'chats', 'on delete cascade')},
       ${tenantKey('member_id', 'members')}`,
      'select, insert, delete',
    )}
    create index chat_acts_of_chat on chat_acts (workspace_id, chat_id, after_message_id, id);
    create index chat_acts_of_member on chat_acts (workspace_id, member_id) where member_id is not null;

    create function note_act(
      of_workspace bigint, of_chat bigint, kind text, member bigint, reason text default null,
      until timestamptz default null, subject bigint default null
    ) returns void language sql as $$
      insert into chat_acts (workspace_id, chat_id, after_message_id, kind, member_id, reason, until, subject_id)
      values (of_workspace, of_chat,
        coalesce((select max(id) from messages where workspace_id = of_workspace and chat_id = of_chat), 0),
        note_act.kind, member, note_act.reason, note_act.until, subject)
    $$;

    create function note_acts_in_chat() returns trigger language plpgsql as $$
    declare
      actor bigint := nullif(current_setting('app.acting_member', true), '')::bigint;
    begin
      if new.paused and (not old.paused or new.paused_by_member_id is distinct from old.paused_by_member_id) then
        perform note_act(new.workspace_id, new.id, 'paused', new.paused_by_member_id,
          reason => case when new.paused_reason in ('operator', 'operator_reply', 'handoff', 'member_deleted')
            then new.paused_reason else 'other' end);
      end if;
      if actor is null then return null; end if;
      if old.paused and not new.paused then
        perform note_act(new.workspace_id, new.id, 'resumed', actor);
      end if;
      if new.archived is distinct from old.archived then
        perform note_act(new.workspace_id, new.id,
          case when new.archived then 'archived' else 'unarchived' end, actor);
      end if;
      if new.muted is distinct from old.muted then
        perform note_act(new.workspace_id, new.id, case when new.muted then 'muted' else 'unmuted' end, actor);
      end if;
      if new.assistant_enabled is distinct from old.assistant_enabled then
        perform note_act(new.workspace_id, new.id,
          case when new.assistant_enabled then 'agent_enabled' else 'agent_disabled' end, actor);
      end if;
      if new.claimed_until is not null and (new.claimed_by_member_id, new.claimed_until)
        is distinct from (old.claimed_by_member_id, old.claimed_until) then
        perform note_act(new.workspace_id, new.id, 'claimed', new.claimed_by_member_id, until => new.claimed_until);
      elsif old.claimed_until is not null and new.claimed_until is null and new.needs_response then
        perform note_act(new.workspace_id, new.id, 'released', actor);
      end if;
      if new.snoozed_at is not null and new.snoozed_at is distinct from old.snoozed_at then
        perform note_act(new.workspace_id, new.id, 'snoozed', actor, until => new.snoozed_until);
      end if;
      if new.folder_id is distinct from old.folder_id then
        perform note_act(new.workspace_id, new.id, 'moved', actor, subject => new.folder_id);
      end if;
      return null;
    end $$;
    create trigger d_note_acts after update on chats for each row
      when ((old.paused, old.paused_by_member_id, old.archived, old.muted, old.assistant_enabled, old.claimed_by_member_id,
          old.claimed_until, old.snoozed_at, old.folder_id)
        is distinct from (new.paused, new.paused_by_member_id, new.archived, new.muted, new.assistant_enabled,
          new.claimed_by_member_id, new.claimed_until, new.snoozed_at, new.folder_id))
      execute function note_acts_in_chat();

    create function note_label_of_chat() returns trigger language plpgsql as $$
    declare
      actor bigint := nullif(current_setting('app.acting_member', true), '')::bigint;
    begin
      if actor is null then return null; end if;
      if tg_op = 'INSERT' then
        perform note_act(new.workspace_id, new.chat_id, 'labelled', actor, subject => new.chat_label_id);
      else
        perform note_act(old.workspace_id, old.chat_id, 'unlabelled', actor, subject => old.chat_label_id);
      end if;
      return null;
    end $$;
    create trigger note_label after insert or delete on chat_label_links
      for each row execute function note_label_of_chat();

    create index messages_failed on messages (workspace_id, id) where sms_delivery_status = 'failed';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index messages_failed;
    drop trigger note_label on chat_label_links;
    drop trigger d_note_acts on chats;
    drop function note_label_of_chat(), note_acts_in_chat(),
      note_act(bigint, bigint, text, bigint, text, timestamptz, bigint);
    drop table chat_acts;
  `);
}
