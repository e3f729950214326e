import { executableBy, tenantKey, timestamps, uuid, withTables } from '../tenant-table.js';

/** Chats with their participants and messages, and what is to be said in them later. */
export const conversations = withTables(`
  create tenant table chats (
    ${uuid},
    channel text not null check (channel in ('web-chat', 'phone-sms', 'phone-voice', 'email')),
    chat_type text not null,
    member_id bigint not null references members,
    created_by_member_id bigint references members,
    assistant_enabled boolean not null default true,
    assistant_member_id bigint references members,
    chat_model_id text,
    realtime_model_id text,
    definition_id bigint references workflow_definitions,
    revision_id bigint references workflow_revisions,
    phone_number_id bigint references phone_numbers,
    inbox_id bigint,
    site_id bigint,
    folder_id bigint,
    title text,
    summary text,
    summary_updated_at timestamptz,
    archived boolean not null default false,
    muted boolean not null default false,
    paused boolean not null default false,
    paused_at timestamptz,
    paused_reason text,
    needs_response boolean not null default false,
    is_test boolean not null default false,
    initial_message_error text,
    message_count integer not null default 0,
    last_message_received_at timestamptz,
    -- Incremented by everything that the agent must consider; handled_version is the one that it has answered.
    version integer not null default 0,
    handled_version integer not null default 0,
    ${timestamps},
    revision integer not null default 0,
    changed_revision integer not null default 0,
    -- The two members of a direct chat, the lower id first: a pair has one.
    dm_key text,
    needs_response_reason text,
    agent_held_since timestamptz,
    agent_held_until timestamptz,
    attended_at timestamptz,
    turns_counted_from timestamptz,
    interruptions integer not null default 0,
    agent_stopped_reason text,
    agent_stopped_until timestamptz,
    paused_by_member_id bigint,
    turn_owed_since timestamptz,
    -- Why nothing can move the assignment of the chat; null while something can.
    standing_reason text,
    timeline_revision integer not null default 0,
    -- Null as soon as something happens in the chat again.
    forgotten_at timestamptz,
    summary_request_uuid uuid,
    -- The newest message that the summary had read: one that has read less does not replace it.
    summary_message_id bigint,
    needs_response_since timestamptz,
    claimed_by_member_id bigint,
    claimed_until timestamptz,
    snoozed_at timestamptz,
    snoozed_until timestamptz,
    reopened_at timestamptz,
    from_message_id bigint,
    approval_id bigint,
    call_revision integer not null default 0,
    -- Finds the chat of an SMS sender without a phone number: a digest, as a name may be that of a person.
    sender_key text,
    constraint chats_paused_by_member_key ${tenantKey('paused_by_member_id', 'members')},
    constraint chats_claimed_by_member_key ${tenantKey('claimed_by_member_id', 'members')}
  );
  grant usage on sequence chats_id_seq to wes_app;
  create index on chats (workspace_id, member_id, id);
  create index on chats (workspace_id, created_by_member_id, id);
  create index on chats (workspace_id, phone_number_id, member_id, id) where channel = 'phone-sms';
  create index on chats (workspace_id, id) where needs_response;
  create unique index chats_dm_key_key on chats (workspace_id, dm_key);
  create unique index chats_sender_key on chats (workspace_id, sender_key) where sender_key is not null;
  -- As lists are sorted unless told otherwise, and days are counted.
  create index on chats (workspace_id, created_at desc nulls last, id desc);
  create index chats_definition on chats (workspace_id, definition_id, id) where definition_id is not null;
  -- Chats of colleagues, without an agent, do not slow down the search for those that owe a turn.
  create index chats_unanswered on chats (workspace_id, id)
    where version > handled_version and assistant_enabled and not paused and not archived;
  create index chats_turn_owed on chats (turn_owed_since) where turn_owed_since is not null;
  create index chats_out_of_credits on chats (workspace_id, id) where agent_stopped_reason = 'credit_budget';
  create index chats_to_forget on chats (workspace_id, updated_at, id) where forgotten_at is null;
  create index chats_waiting on chats (workspace_id, needs_response_since, id)
    where needs_response and not archived and not muted;
  create index chats_reopened on chats (workspace_id, reopened_at) where reopened_at is not null;
  create index chats_claims on chats (workspace_id, claimed_until) where claimed_until is not null;
  create index chats_snoozes on chats (workspace_id, snoozed_until) where snoozed_until is not null;
  create index chats_inboxes on chats (workspace_id, inbox_id, member_id) where inbox_id is not null;
  create index chats_from_message on chats (workspace_id, from_message_id) where from_message_id is not null;
  create index chats_of_folder on chats (workspace_id, folder_id, id) where folder_id is not null;
  create index on chats (workspace_id, site_id) where site_id is not null;

  -- The models of an assistant in one chat take precedence over those of the chat and of the assistant.
  create tenant table chat_participants (
    chat_id bigint not null references chats on delete cascade,
    member_id bigint not null references members,
    role text not null,
    additional_instructions text,
    created_at timestamptz not null default now(),
    chat_model_id text,
    realtime_model_id text,
    chat_model_config jsonb,
    realtime_model_config jsonb,
    unique (workspace_id, chat_id, member_id)
  );
  create index on chat_participants (workspace_id, member_id);

  create tenant table messages (
    ${uuid},
    chat_id bigint not null references chats on delete cascade,
    role text not null check (role in ('user', 'assistant', 'system', 'tool')),
    content jsonb,
    original_content jsonb,
    truncation_reason text,
    truncated_at_ms integer,
    tool_calls jsonb not null default '[]',
    tool_call_id text,
    -- The tool call whose inner conversation contains the message.
    sub_conversation_of text,
    suggestions jsonb not null default '[]',
    member_id bigint references members,
    task_id bigint references workflow_tasks,
    email_id bigint,
    inbox_id bigint,
    turn_uuid uuid,
    turn_round integer,
    turn_version integer,
    token_usage jsonb,
    carrier_message_id text,
    sms_delivery_status text check (sms_delivery_status in ('sent', 'delivered', 'failed')),
    sms_delivery_error_code text,
    sms_delivery_updated_at timestamptz,
    sms_delivery_failure_reason text,
    user_rating double precision,
    user_rating_comment text,
    created_at timestamptz not null default now(),
    created_revision integer not null default 0,
    revision integer not null default 0,
    value_bytes int not null generated always as (
      coalesce(octet_length(content::text), 0) + coalesce(octet_length(original_content::text), 0)
        + octet_length(tool_calls::text)) stored,
    -- The keyword that the message consists of, which is no reply.
    sms_keyword text,
    -- The newest message that a late answer answers.
    answers_until bigint,
    -- Of one whose webhook did not arrive: STOP and START take effect in the order in which they were sent.
    carrier_received_at timestamptz,
    -- The role is assistant for the agent, the workflow and colleagues alike.
    author text,
    -- As they were when the message was sent (docs/decisions/0118-messages-say-which-files-they-carried.md).
    files jsonb not null default '[]',
    media_awaited_since timestamptz,
    call_id bigint,
    call_item_id text,
    audio_metadata jsonb,
    audio_file_uuid uuid,
    unique (workspace_id, turn_uuid, turn_round),
    unique (workspace_id, carrier_message_id)
  );
  create index on messages (workspace_id, chat_id, id) where sub_conversation_of is null;
  create unique index messages_tool_result_key on messages (workspace_id, chat_id, tool_call_id) where role = 'tool';
  create index on messages (workspace_id, chat_id, sub_conversation_of, id) where sub_conversation_of is not null;
  create index on messages (workspace_id, chat_id, created_revision);
  create index on messages (workspace_id, chat_id, revision) where revision > created_revision;
  create index messages_with_tool_calls on messages (workspace_id, chat_id) where tool_calls <> '[]';
  create index messages_awaiting_media on messages (workspace_id, id) where media_awaited_since is not null;
  create index messages_emails on messages (workspace_id, email_id) where email_id is not null;
  create index messages_inboxes on messages (workspace_id, inbox_id) where inbox_id is not null;
  create unique index messages_of_calls on messages (workspace_id, call_id, call_item_id) where call_id is not null;
  create index messages_failed on messages (workspace_id, id) where sms_delivery_status = 'failed';
  alter table chats
    add ${tenantKey('from_message_id', 'messages', 'on delete set null (from_message_id)')} not valid;

  create tenant table follow_ups (
    ${uuid},
    chat_id bigint not null references chats on delete cascade,
    instructions text not null,
    due_at timestamptz not null,
    fired_at timestamptz,
    cancelled_at timestamptz,
    created_at timestamptz not null default now(),
    scheduled_by_member_id bigint references members,
    cancelled_by_member_id bigint references members
  );
  create index on follow_ups (workspace_id, chat_id, due_at) where fired_at is null and cancelled_at is null;
  create index follow_ups_of_chat on follow_ups (workspace_id, chat_id, due_at, id);

  -- Messages of colleagues that are sent later, until then and with what became of them (decision 136).
  create tenant table scheduled_messages (
    ${uuid},
    chat_id bigint not null references chats,
    author_member_id bigint not null references members,
    api_key_id bigint,
    message text not null,
    file_ids jsonb not null default '[]',
    send_at timestamptz not null,
    seen_message_id bigint not null default 0,
    seen_waiting_since timestamptz,
    state text not null default 'pending' check (state in ('pending', 'sent', 'cancelled', 'failed')),
    failure_reason text,
    settled_at timestamptz,
    cancelled_by_member_id bigint references members,
    message_uuid uuid,
    ${timestamps}
  );
  create index scheduled_messages_of_chat on scheduled_messages (workspace_id, chat_id, send_at, id);
  create index scheduled_messages_by_state on scheduled_messages (workspace_id, state, send_at, id);
  create index scheduled_messages_due on scheduled_messages (send_at) where state = 'pending';
  create index scheduled_messages_pending on scheduled_messages (workspace_id) where state = 'pending';
  -- Sees all workspaces, so only the relay may call it, and it returns numbers alone.
  create function due_scheduled_messages(late interval, most integer)
    returns table (oldest_seconds float8, messages integer)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
    as $$
      with late as materialized (
        select send_at from public.scheduled_messages
        where state = 'pending' and send_at < now() - $1 order by send_at limit $2
      )
      select coalesce(extract(epoch from now() - min(send_at))::float8, 0), count(*)::integer from late
    $$;
  ${executableBy('wes_relay', 'due_scheduled_messages(interval, integer)')}

  -- Tool calls of agents that wait for a colleague's decision (docs/decisions/0141-tool-calls-that-need-approval.md).
  create tenant table tool_approvals (
    ${uuid},
    chat_id bigint not null references chats on delete cascade,
    message_id bigint not null,
    tool_call_id text not null,
    state text not null check (state in ('waiting', 'approved', 'run', 'rejected', 'expired', 'withdrawn')),
    requested_at timestamptz not null,
    expires_at timestamptz not null,
    decided_at timestamptz,
    decided_by_member_id bigint references members,
    comment text,
    unique (workspace_id, chat_id, tool_call_id)
  );
  create unique index tool_approvals_open on tool_approvals (workspace_id, chat_id)
    where state in ('waiting', 'approved');
  create index on tool_approvals (workspace_id, decided_by_member_id);

  -- What colleagues do with a chat, beside writing in it. after_message_id is the last message before, which gives
  -- acts and messages one order.
  create tenant table chat_acts (
    chat_id bigint not null references chats on delete cascade,
    after_message_id bigint not null,
    kind text not null,
    member_id bigint references members,
    reason text,
    until timestamptz,
    subject_id bigint,
    created_at timestamptz not null default now()
  );
  revoke update on chat_acts from wes_app;

  create index chat_acts_of_chat on chat_acts (workspace_id, chat_id, after_message_id, id);
  create index chat_acts_of_member on chat_acts (workspace_id, member_id) where member_id is not null;
`);
