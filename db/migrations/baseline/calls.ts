import { timestamps, uuid, withTables } from '../tenant-table.js';

/** Phone calls, the bridges that have held their sound, their transfers and recordings. */
export const calls = withTables(`
  -- A call that has not finished holds the floor of its chat: there is one
  -- (docs/decisions/0144-a-call-holds-the-floor.md). measured_seconds and expected_price are what the service
  -- reckons, beside what the carrier says.
  create tenant table phone_calls (
    ${uuid},
    chat_id bigint references chats,
    phone_number_id bigint not null references phone_numbers on delete cascade,
    member_id bigint references members,
    inbound boolean not null,
    remote_number text,
    carrier_call_id text,
    status text not null default 'pending' check (status in
      ('pending', 'ringing', 'in-progress', 'completed', 'busy', 'no-answer', 'failed', 'canceled')),
    termination_reason text,
    carrier_status text,
    failure_detail text,
    blocked_reason text,
    agent_member_id bigint references members,
    begun_by text not null check (begun_by in ('api', 'task', 'agent', 'caller')),
    requested_by_member_id bigint references members,
    assignment_task_id bigint references assignment_tasks on delete set null,
    claim_token uuid,
    claimed_at timestamptz,
    attempts integer not null default 0,
    outcome_unknown boolean not null default false,
    look_ups integer not null default 0,
    dialed_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    asked_at timestamptz,
    ended_by text,
    released_at timestamptz,
    answered_by text,
    transfer_status text,
    duration_seconds integer,
    credits double precision not null default 0,
    price double precision,
    price_unit text,
    bill_due_at timestamptz,
    settled_at timestamptz,
    ${timestamps},
    recording_notice jsonb,
    recording_consent text
      check (recording_consent in ('told', 'asked', 'agreed', 'refused', 'unanswered', 'machine')),
    recording_noticed_at timestamptz,
    identity_tries integer not null default 0,
    identity_keys jsonb,
    identity_proved_at timestamptz,
    revision integer not null default 0,
    measured_seconds integer,
    expected_price double precision,
    summary_told_at timestamptz,
    transfer_blocked_reason text,
    hung_up_at timestamptz,
    hung_up_by_member_id bigint references members,
    unique (workspace_id, carrier_call_id),
    check (finished_at is not null or status in ('pending', 'ringing', 'in-progress'))
  );
  create unique index phone_calls_open on phone_calls (workspace_id, chat_id) where finished_at is null;
  create index on phone_calls (workspace_id, chat_id, id);
  create index on phone_calls (workspace_id, chat_id, revision);
  create index on phone_calls (workspace_id, phone_number_id, id);
  create index on phone_calls (workspace_id, member_id, id);
  create index on phone_calls (workspace_id, created_at, id);
  create index on phone_calls (workspace_id, remote_number, created_at);
  create index on phone_calls (workspace_id, agent_member_id);
  create index on phone_calls (workspace_id, requested_by_member_id);
  create index on phone_calls (workspace_id, assignment_task_id);
  create index phone_calls_hung_up_by on phone_calls (workspace_id, hung_up_by_member_id)
    where hung_up_by_member_id is not null;
  create index phone_calls_unsettled on phone_calls (workspace_id, id) where settled_at is null;
  create index phone_calls_unbilled on phone_calls (workspace_id, bill_due_at) where bill_due_at is not null;
  create index phone_calls_by_status on phone_calls (workspace_id, status, created_at, id);
  create index phone_calls_by_start on phone_calls (workspace_id, started_at desc nulls last, id desc);
  create index phone_calls_by_end on phone_calls (workspace_id, finished_at desc nulls last, id desc);

  -- The state of a call is told to those who follow its chat, as messages are: a change of it has a number of the
  -- chat. A call that is stored together with its chat belongs to revision 0.
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

  create tenant table call_bridges (
    call_id bigint not null references phone_calls on delete cascade,
    attempt integer not null,
    process_id uuid,
    stream_id text,
    began_at timestamptz,
    heartbeat_at timestamptz,
    ended_at timestamptz,
    end_reason text,
    command text check (command in ('hang_up', 'transfer')),
    command_at timestamptz,
    acknowledged_at timestamptz,
    created_at timestamptz not null default now(),
    unique (workspace_id, call_id, attempt)
  );
  create index call_bridges_open on call_bridges (workspace_id, process_id) where ended_at is null;

  -- Transfers of calls to people (docs/voice.md).
  create tenant table call_transfers (
    ${uuid},
    call_id bigint not null references phone_calls on delete cascade,
    tool_call_id text not null,
    target_name text not null,
    phone_number text not null,
    ring_seconds integer not null,
    facts text not null,
    state text not null check (state in ('requested', 'dialing', 'answered', 'busy', 'no-answer', 'failed')),
    dialed_at timestamptz,
    ended_at timestamptz,
    ${timestamps},
    blocked_reason text,
    max_seconds integer,
    is_abroad boolean not null default false,
    unique (workspace_id, call_id, tool_call_id)
  );
  create unique index call_transfers_open on call_transfers (workspace_id, call_id)
    where state in ('requested', 'dialing');
  create index call_transfers_by_time on call_transfers (workspace_id, dialed_at) where dialed_at is not null;

  -- Recordings are segments in the storage (docs/decisions/0152-recordings-are-segments.md).
  create tenant table call_recordings (
    ${uuid},
    call_id bigint not null references phone_calls on delete cascade,
    begins_at timestamptz not null,
    unique (workspace_id, call_id)
  );
  create index on call_recordings (workspace_id, begins_at, id);

  create tenant table call_recording_segments (
    recording_id bigint not null references call_recordings on delete cascade,
    attempt integer not null,
    number integer not null,
    start_frame bigint not null check (start_frame >= 0),
    frames integer not null check (frames > 0),
    object_id bigint not null references stored_objects,
    unique (workspace_id, recording_id, attempt, number)
  );
  create index on call_recording_segments (workspace_id, object_id);
  create trigger doom_deleted after delete on call_recording_segments for each row execute function doom_archive();
`);
