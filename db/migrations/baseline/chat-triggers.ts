import { executableBy } from '../tenant-table.js';

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
  'agent_held_since',
  'agent_held_until',
  'attended_at',
  'turns_counted_from',
  'interruptions',
  'agent_stopped_reason',
  'agent_stopped_until',
];

const visible = (row: string) => `to_jsonb(${row}) - '{${untold.join(',')}}'::text[]`;

/** A condition that the setting names the part's chat. */
const names = (setting: string) =>
  `(concat(current_setting('${setting}', true), ' ') like concat('% ', part.chat_id, ' %'))`;

/**
 * Every change of a chat that its readers see has a number. `chats.revision` counts the changes under the chat's row
 * lock, so that the order of the numbers is the order of the commits, and each changed row carries its number.
 * Triggers do this, so that no code path can forget it. They also maintain the count of messages, and list the chats
 * that the transaction has changed (`app.changed_chats`, read at the commit by `db/transaction.ts`). Triggers of one
 * table run in the order of their names.
 */
const revisions = `
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

  create function name_new_chat() returns trigger language plpgsql as $$
  begin
    perform set_config('app.new_chats', concat(current_setting('app.new_chats', true), ' ', new.id), true);
    return new;
  end $$;
  create trigger b_name before insert on chats for each row execute function name_new_chat();

  -- Parts that are stored in the transaction that inserts the chat, before any change of it is numbered, belong to
  -- its initial state, revision 0: the chat is neither updated for them nor looked up, because PostgreSQL may search
  -- all chats of the workspace while a table has no statistics. Readers see a transaction as a whole, so where it has
  -- just numbered a change, the next one is part of it. This saves updates: PostgreSQL checks all foreign keys of a
  -- row again for each update in the transaction that inserted it.
  create function stamp_chat_of_part() returns trigger language plpgsql as $$
  declare
    part record;
  begin
    if tg_op = 'DELETE' then part := old; else part := new; end if;
    if ${names('app.new_chats')} and not ${names('app.changed_chats')} then return null; end if;
    update chats set revision = revision + 1, changed_revision = revision + 1
    where workspace_id = part.workspace_id and id = part.chat_id
      and not (revision = changed_revision and ${names('app.changed_chats')});
    return null;
  end $$;
  create trigger stamp_chat after insert or update or delete on chat_participants
    for each row execute function stamp_chat_of_part();
  create trigger stamp_chat after insert or update or delete on chat_label_links
    for each row execute function stamp_chat_of_part();
  create trigger stamp_chat after insert or update of current_task_id on assignments
    for each row execute function stamp_chat_of_part();
`;

/**
 * Since when a chat is owed a turn of its agent (`domain/kernel/agent-due.ts`): it starts when the turn is owed, and
 * again when a part was answered. A turn is not overdue while the member is disabled or the workflow held: a
 * colleague was alerted for that reason. A chat whose assignment begins with a call of the agent is inserted with a
 * turn owed. By their names the triggers run after `a_stamp`, so changes of the column are not published to readers
 * of a chat.
 *
 * The relay's role reads no chats. A function returns to it the turns that are owed for longer than `late`, among the
 * oldest `most`: how many, in how many workspaces, and the `named` workspaces that have waited longest.
 */
const turnsOwed = `
  create function is_turn_owed(chat chats) returns boolean language sql immutable as $$
    select chat.version > chat.handled_version and chat.assistant_enabled and not chat.paused and not chat.archived
      and chat.agent_stopped_reason is null
      and (chat.needs_response_reason in ('member_disabled', 'workflow_held')) is not true
  $$;
  create function note_turn_owed() returns trigger language plpgsql as $$
  begin
    new.turn_owed_since := case when is_turn_owed(new) then now() end;
    return new;
  end $$;
  create trigger c_note_turn_owed_at_once before insert on chats for each row
    when (is_turn_owed(new)) execute function note_turn_owed();
  create trigger c_note_turn_owed before update on chats for each row
    when (
      is_turn_owed(new) is distinct from (new.turn_owed_since is not null)
      or (new.turn_owed_since is not null and new.handled_version > old.handled_version)
    ) execute function note_turn_owed();

  create function overdue_turns(late interval, most integer, named integer)
    returns table (oldest_seconds float8, turns integer, workspaces integer, longest jsonb)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
    as $$
      with overdue as materialized (
        select workspace_id, turn_owed_since from public.chats
        where turn_owed_since < now() - $1 order by turn_owed_since limit $2
      ),
      by_workspace as (
        select workspace_id, count(*)::integer as turns,
          floor(extract(epoch from now() - min(turn_owed_since)))::integer as seconds
        from overdue group by workspace_id
      ),
      longest as (select * from by_workspace order by seconds desc, workspace_id limit $3)
      select
        coalesce((
          select extract(epoch from now() - turn_owed_since)::float8 from public.chats
          where turn_owed_since is not null order by turn_owed_since limit 1
        ), 0),
        (select count(*)::integer from overdue),
        (select count(*)::integer from by_workspace),
        (select coalesce(jsonb_agg(jsonb_build_object(
           'workspaceId', workspace_id, 'turns', turns, 'oldestSeconds', seconds)
           order by seconds desc, workspace_id), '[]') from longest)
    $$;
  ${executableBy('wes_relay', 'overdue_turns(interval, integer, integer)')}
`;

/**
 * The queue of chats that wait for a person (docs/decisions/0129-chats-that-wait-are-a-queue.md): the time is set
 * when `needs_response` turns true and kept until it turns false, which ends a claim and a snooze as well. By its
 * name the trigger runs after `a_stamp`, so the time alone is no change that readers are told. A chat that waits
 * becomes news again when a colleague is alerted for another reason, its claim is given back, its snooze ends early,
 * or it is no longer archived or muted. Times have milliseconds, as in the API, where the time and the id of a chat
 * are the place from which a reader goes on.
 */
const waiting = `
  create function note_waiting() returns trigger language plpgsql as $$
  begin
    if new.needs_response then
      new.needs_response_since := date_trunc('milliseconds', now());
    else
      new.needs_response_since := null;
      new.claimed_by_member_id := null;
      new.claimed_until := null;
      new.snoozed_at := null;
      new.snoozed_until := null;
    end if;
    return new;
  end $$;
  create trigger c_note_waiting before insert or update on chats for each row
    when (new.needs_response is distinct from (new.needs_response_since is not null))
    execute function note_waiting();

  create function note_reopening() returns trigger language plpgsql as $$
  begin
    new.reopened_at := date_trunc('milliseconds', now());
    return new;
  end $$;
  create trigger c_note_reopening before update on chats for each row
    when (old.needs_response and new.needs_response and not new.archived and not new.muted
      and (old.archived or old.muted
        or old.needs_response_reason is distinct from new.needs_response_reason
        or (old.claimed_until is not null and new.claimed_until is null and new.snoozed_at is null)
        or (old.snoozed_at is not null and new.snoozed_at is null and new.claimed_until is null)))
    execute function note_reopening();

  create function remember_chat() returns trigger language plpgsql as $$
  begin
    new.forgotten_at := null;
    return new;
  end $$;
  create trigger d_remember before update on chats for each row
    when (old.forgotten_at is not null and new.forgotten_at is not distinct from old.forgotten_at)
    execute function remember_chat();
`;

/** Who has claimed, paused or archived a chat. A pause is noted also if the agent or the service makes it. */
const acts = `
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
`;

export const chatTriggers = [revisions, turnsOwed, waiting, acts].join('\n');
