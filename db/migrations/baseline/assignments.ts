import { tenantKey, timestamps, uuid, withTables } from '../tenant-table.js';

/** Assignments with their tasks, and what happened in them. */
export const assignments = withTables(`
  create tenant table assignments (
    ${uuid},
    member_id bigint not null references members,
    definition_id bigint not null references workflow_definitions,
    revision_id bigint not null references workflow_revisions,
    chat_id bigint not null references chats,
    status text not null default 'active' check (status in ('active', 'completed', 'cancelled', 'failed')),
    outcome text,
    outcome_reason text,
    concluded_at timestamptz,
    current_task_id bigint,
    automatic_steps integer not null default 0,
    is_test boolean not null default false,
    created_by_member_id bigint references members,
    ${timestamps},
    unique (workspace_id, chat_id),
    check ((status = 'active') = (concluded_at is null))
  );
  create index on assignments (workspace_id, member_id, id);
  create index on assignments (workspace_id, id) where status = 'active';
  create index assignments_definition on assignments (workspace_id, definition_id, id);
  -- Has no column that a step changes, so that steps need no write to it.
  create index assignments_active_of_definition on assignments (workspace_id, definition_id, id)
    where status = 'active';

  -- event_mark is what a wait for an event had seen of such events when it was entered.
  create tenant table assignment_tasks (
    ${uuid},
    assignment_id bigint not null references assignments on delete cascade,
    task_id bigint not null references workflow_tasks,
    parent_id bigint references assignment_tasks,
    visited_at timestamptz,
    completed_at timestamptz,
    due_at timestamptz,
    message_id bigint references messages,
    entered_after_message_id bigint,
    ended_by text check (ended_by in ('time', 'time_limit', 'condition', 'event', 'reply')),
    event_mark bigint,
    unique (workspace_id, assignment_id, task_id)
  );

  -- Ids are reserved, so that a chat, its assignment and its tasks are stored together.
  grant usage on sequence assignments_id_seq, assignment_tasks_id_seq to wes_app;
  -- Deleting messages looks for tasks that refer to them.
  create index on assignment_tasks (workspace_id, message_id) where message_id is not null;
  alter table assignments add ${tenantKey('current_task_id', 'assignment_tasks')} deferrable initially deferred;
  alter table data_records add ${tenantKey('assignment_task_id', 'assignment_tasks')};

  -- The reason of a cancellation is text that a person wrote: it stays here, and the run gets only the row's uuid.
  create tenant table assignment_cancellations (
    uuid uuid not null,
    assignment_id bigint not null references assignments on delete cascade,
    reason text,
    actor_member_id bigint references members,
    created_at timestamptz not null default now(),
    unique (workspace_id, uuid)
  );
  create index on assignment_cancellations (workspace_id, assignment_id);

  -- An assignment whose run has met a hold, until the run is poked after the resumption: only such runs are poked.
  create tenant table held_assignments (
    definition_id bigint not null references workflow_definitions,
    assignment_id bigint not null references assignments on delete cascade,
    unique (workspace_id, assignment_id)
  );
  create index held_assignments_of_definition on held_assignments (workspace_id, definition_id, id);
`);

/**
 * What happened in an assignment, in order. Entries hold ids, codes and times: texts of messages are read from the
 * messages.
 *
 * Triggers note what is a change of a row: the state of a chat, follow-ups, deliveries. Code notes what it decides.
 * An entry carries a number of its chat (`chats.revision`), as messages do, which is their common order. Entries of
 * one transaction share a number, unless a message came between them.
 */
export const timelines = withTables(`
  -- Its constraints have the name that the table had first, of which a view is left.
  create tenant table assignment_task_visits (
    assignment_id bigint not null references assignments on delete cascade,
    assignment_task_id bigint references assignment_tasks,
    from_assignment_task_id bigint references assignment_tasks,
    request_uuid uuid,
    caused_by text constraint assignment_task_visits_entered_by_check
      check (caused_by in ('agent', 'member', 'operator', 'automatic')),
    actor_member_id bigint references members,
    created_at timestamptz not null default now(),
    kind text constraint assignment_timeline_entries_kind_not_null not null default 'entered',
    chat_id bigint,
    revision integer,
    code text,
    reason text,
    until timestamptz,
    message_id bigint,
    rule_task_id bigint,
    times integer constraint assignment_timeline_entries_times_not_null not null default 1,
    unique (workspace_id, request_uuid)
  );
  create index on assignment_task_visits (workspace_id, assignment_id, id);
  alter table assignment_task_visits rename to assignment_timeline_entries;
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
    -- What is stored together with a chat belongs to its revision 0, as its parts do.
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
      is distinct from
      (new.paused, new.paused_by_member_id, new.archived, new.needs_response, new.needs_response_reason))
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
