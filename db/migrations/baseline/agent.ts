import { withTables } from '../tenant-table.js';

const multipliers = `
    multiplier double precision not null default 1,
    input_multiplier double precision not null default 1,
    output_multiplier double precision not null default 1,
    cached_multiplier double precision not null default 1`;

const counters = `
    calls integer not null default 0,
    prompt_tokens bigint not null default 0,
    completion_tokens bigint not null default 0,
    cached_tokens bigint not null default 0,
    audio_input_tokens bigint not null default 0,
    audio_output_tokens bigint not null default 0,
    total_tokens bigint not null default 0,
    credits double precision not null default 0`;

/**
 * What model calls have used, the monthly credit budget (docs/decisions/0068-agents-have-budgets.md), and requests of
 * agents to web services. Days (YYYY-MM-DD) and months (YYYY-MM) are those of the workspace's time zone at the time
 * of the call.
 */
export const agent = withTables(`
  -- The multipliers are those by which the call was billed.
  create tenant table token_usage (
    chat_id bigint not null references chats on delete cascade,
    turn_uuid uuid,
    model_id text not null,
    prompt_tokens integer not null default 0,
    completion_tokens integer not null default 0,
    cached_tokens integer not null default 0,
    total_tokens integer not null default 0,
    credits double precision not null default 0,
    created_at timestamptz not null default now(),${multipliers},
    call_id uuid,
    audio_input_tokens integer not null default 0,
    audio_output_tokens integer not null default 0,
    is_estimated boolean not null default false,
    -- Of models that are priced by it.
    speech_seconds double precision
  );
  create unique index token_usage_call_key on token_usage (workspace_id, call_id);
  create index token_usage_chat_created on token_usage (workspace_id, chat_id, created_at);

  -- Days in UTC.
  create tenant table token_usage_days (
    day text not null,
    total_tokens bigint not null default 0,
    credits double precision not null default 0,
    unique (workspace_id, day)
  );

  -- Calls that have begun and are not booked yet, with what they use at least.
  create tenant table open_model_calls (
    call_id uuid not null,
    chat_id bigint not null references chats on delete cascade,
    member_id bigint not null,
    definition_id bigint,
    turn_uuid uuid,
    model_id text not null,
    prompt_tokens integer not null,
    credits double precision not null default 0,${multipliers},
    begun_at timestamptz not null,
    unique (workspace_id, call_id)
  );
  create index on open_model_calls (workspace_id, chat_id);
  create index on open_model_calls (workspace_id, begun_at);

  create tenant table usage_days (
    day text not null,
    definition_id bigint,
    model_id text not null,${counters},
    unique nulls not distinct (workspace_id, day, definition_id, model_id)
  );

  create tenant table member_usage_months (
    month text not null,
    member_id bigint not null references members,${counters},
    unique (workspace_id, month, member_id)
  );
  create index on member_usage_months (workspace_id, member_id);

  -- When admins were told that most, and that all of the budget is used up.
  create tenant table credit_months (
    month text not null,
    credits double precision not null default 0,
    warned_at timestamptz,
    used_up_at timestamptz,
    unique (workspace_id, month)
  );

  create tenant table credit_budgets (
    monthly_credits double precision check (monthly_credits > 0),
    extra_usage_enabled boolean not null default false,
    updated_by_member_id bigint references members,
    updated_at timestamptz not null,
    unique (workspace_id)
  );
  create index on credit_budgets (workspace_id, updated_by_member_id);

  -- For the limits on requests, and so that none is made twice (docs/decisions/0140-requests-of-agents.md).
  create tenant table tool_requests (
    chat_id bigint not null references chats on delete cascade,
    tool_call_id text not null,
    idempotency_key uuid not null,
    claim_token uuid not null,
    claimed_at timestamptz not null,
    attempts integer not null default 1,
    settled_at timestamptz,
    status_code integer,
    failure_code text,
    unique (workspace_id, chat_id, tool_call_id)
  );
  create index on tool_requests (workspace_id, claimed_at);
  create index on tool_requests (workspace_id, chat_id, claimed_at);
  create index tool_requests_open on tool_requests (workspace_id, claimed_at) where settled_at is null;
`);
