import { timestamps, uuid, withTables } from '../tenant-table.js';

/**
 * The host of a stored URL, which is in the canonical spelling of the URL standard; of an IPv6 address with its
 * brackets.
 */
const host = `substring(new.url from '^[a-z]+://(\\[[^]]*\\]|[^/:]+)')`;

/** Events, event rules with their receivers, deliveries of webhooks, and notices to people. */
export const events = withTables(`
  -- The bytes of the body are stored, not generated again for each attempt. An event about a data record is deleted
  -- with it, because the deletion of a record is final, and a delivery with its event.
  create tenant table events (
    ${uuid},
    event_type text not null,
    body text not null,
    data_record_id bigint references data_records on delete cascade,
    created_at timestamptz not null,
    is_test boolean not null default false,
    member_id bigint
  );
  revoke update on events from wes_app;
  create index events_by_creation on events (workspace_id, created_at, id);
  create index events_by_type on events (workspace_id, event_type, created_at, id);
  create index events_of_record on events (workspace_id, data_record_id, created_at, id)
    where data_record_id is not null;
  create index events_of_tests on events (workspace_id, created_at, id) where is_test;
  create index events_of_member on events (workspace_id, member_id, id) where member_id is not null;
  create function member_of_event(body text) returns bigint language plpgsql immutable as $$
  declare
    event jsonb;
  begin
    if not (body is json object) then return null; end if;
    event := body::jsonb;
    return coalesce(event #>> '{member,id}', event #>> '{dataRecord,memberId}', event #>> '{chat,memberId}')::bigint;
  end $$;
  create function note_member_of_event() returns trigger language plpgsql as $$
  begin
    new.member_id := member_of_event(new.body);
    return new;
  end $$;
  create trigger note_member before insert on events for each row
    when (new.member_id is null and not new.is_test and new.event_type <> 'member:erased')
    execute function note_member_of_event();

  -- The hosts that webhooks go to, and which of them have answered (docs/decisions/0078-what-reaches-strangers.md).
  create tenant table webhook_hosts (
    host text not null,
    answered_at timestamptz,
    failures integer not null default 0,
    next_try_at timestamptz,
    created_at timestamptz not null default now(),
    unique (workspace_id, host)
  );

  -- A receiver is deleted once no attempt refers to it.
  create tenant table webhook_endpoints (
    url text not null,
    url_digest bytea not null,
    mean_duration_ms integer not null default 0,
    next_slot_at timestamptz,
    created_at timestamptz not null default now(),
    webhook_host_id bigint not null,
    unique (workspace_id, url_digest),
    constraint webhook_endpoints_host
      foreign key (workspace_id, webhook_host_id) references webhook_hosts (workspace_id, id)
  );
  create index on webhook_endpoints (workspace_id, webhook_host_id);
  create function find_webhook_host() returns trigger language plpgsql as $$
  begin
    while new.webhook_host_id is null loop
      select id into new.webhook_host_id from webhook_hosts
      where workspace_id = new.workspace_id and host = ${host} for key share;
      if not found then
        insert into webhook_hosts (workspace_id, host, created_at)
        values (new.workspace_id, ${host}, new.created_at) on conflict do nothing;
      end if;
    end loop;
    return new;
  end $$;
  create trigger find_host before insert on webhook_endpoints for each row execute function find_webhook_host();

  -- failing_days counts the days (UTC) on which attempts have failed since it began to fail; failed_on is the latest.
  -- missed_times are the times in which it was disabled.
  create tenant table event_rules (
    ${uuid},
    name text not null,
    event_type text not null,
    action_type text not null check (action_type = 'webhook:send'),
    webhook_endpoint_id bigint not null references webhook_endpoints,
    enabled boolean not null default true,
    disabled_at timestamptz,
    disabled_reason text check (disabled_reason in ('by_member', 'gone', 'failing')),
    failing_since timestamptz,
    created_by_member_id bigint references members,
    deleted_at timestamptz,
    ${timestamps},
    failing_days integer not null default 0,
    failed_on date,
    event_type_since timestamptz,
    missed_times tstzmultirange not null default '{}',
    check (enabled = (disabled_at is null) and enabled = (disabled_reason is null))
  );
  create index on event_rules (workspace_id, webhook_endpoint_id);
  -- For the event types for which a workspace has rules, including disabled ones, and for the enabled rules of a
  -- type.
  create index event_rules_types on event_rules (workspace_id, enabled, event_type) where deleted_at is null;

  create tenant table event_rule_secrets (
    ${uuid},
    event_rule_id bigint not null references event_rules on delete cascade,
    ciphertext bytea not null,
    created_at timestamptz not null,
    expires_at timestamptz
  );
  create index on event_rule_secrets (workspace_id, event_rule_id);

  create tenant table webhook_deliveries (
    ${uuid},
    event_rule_id bigint not null references event_rules,
    event_id bigint not null references events on delete cascade,
    event_type text not null,
    trigger text not null check (trigger in ('event', 'redelivery', 'test', 'missed')),
    requested_by_member_id bigint references members,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
    failure_reason text,
    attempt_count integer not null default 0,
    last_status_code integer,
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    completed_at timestamptz,
    check ((status = 'pending') = (completed_at is null))
  );
  create index on webhook_deliveries (workspace_id, event_id);
  create index webhook_deliveries_by_creation
    on webhook_deliveries (workspace_id, event_rule_id, created_at, id);
  create index webhook_deliveries_by_status
    on webhook_deliveries (workspace_id, event_rule_id, status, created_at, id);
  create index webhook_deliveries_by_completion
    on webhook_deliveries (workspace_id, event_rule_id, completed_at, id);
  create index webhook_deliveries_asked_for
    on webhook_deliveries (workspace_id, event_rule_id, trigger, created_at, id) where trigger <> 'event';
  create index webhook_deliveries_due on webhook_deliveries (workspace_id, next_attempt_at, id) where status = 'pending';
  -- A missed event is delivered once for each rule (docs/decisions/0050-events.md).
  create unique index webhook_deliveries_missed on webhook_deliveries (workspace_id, event_rule_id, event_id)
    where trigger = 'missed';

  -- webhook_host_id copies what the receiver refers to: a key would cost each attempt a look-up.
  create tenant table webhook_attempts (
    webhook_delivery_id bigint not null references webhook_deliveries on delete cascade,
    webhook_endpoint_id bigint not null references webhook_endpoints,
    number integer not null,
    started_at timestamptz not null,
    lease_until timestamptz not null,
    finished_at timestamptz,
    duration_ms integer,
    status_code integer,
    error_code text,
    response_body text,
    webhook_host_id bigint,
    unique (workspace_id, webhook_delivery_id, number)
  );
  create index on webhook_attempts (workspace_id, webhook_endpoint_id) where finished_at is null;
  create index webhook_attempts_by_endpoint on webhook_attempts (workspace_id, webhook_endpoint_id);
  create index webhook_attempts_under_way on webhook_attempts (workspace_id, webhook_host_id) where finished_at is null;

  -- Mails to admins: about a rule, a budget, a secret, a remote MCP server or the domain of a site.
  create tenant table event_rule_notices (
    ${uuid},
    event_rule_id bigint references event_rules on delete cascade,
    member_id bigint not null references members,
    reason text not null check (reason in (
      'gone', 'failing', 'credits_low', 'credits_used_up', 'secret_refused', 'mcp_server_refused', 'mcp_tools_changed',
      'site_domain_failing', 'site_domain_lapsed')),
    created_at timestamptz not null,
    claimed_at timestamptz,
    sent_at timestamptz,
    failure_reason text,
    claim_token uuid,
    credit_month_id bigint references credit_months,
    secret_id bigint references secrets on delete cascade,
    mcp_server_id bigint references mcp_servers on delete cascade,
    site_id bigint references sites on delete cascade,
    constraint event_rule_notices_subject_check check (event_rule_id is null or credit_month_id is null)
  );
  create index on event_rule_notices (workspace_id, event_rule_id);
  create index on event_rule_notices (workspace_id, member_id, claimed_at);
  create index on event_rule_notices (workspace_id, credit_month_id) where credit_month_id is not null;
  create index on event_rule_notices (workspace_id, secret_id) where secret_id is not null;
  create index on event_rule_notices (workspace_id, mcp_server_id) where mcp_server_id is not null;
  create index on event_rule_notices (workspace_id, site_id) where site_id is not null;

  -- Up to when the chats of a workspace that wait for a person have been looked at, and the mails and SMS, which are
  -- sent at most once (docs/decisions/0129-chats-that-wait-are-a-queue.md).
  create tenant table handoff_tellings (
    looked_until timestamptz not null,
    told_at timestamptz,
    events_until timestamptz not null,
    events_after bigint not null default 0,
    emails_told_until timestamptz,
    unique (workspace_id)
  );

  create tenant table handoff_notices (
    ${uuid},
    member_id bigint not null references members,
    channel text not null check (channel in ('email', 'sms')),
    created_at timestamptz not null,
    claimed_at timestamptz,
    claim_token uuid,
    sent_at timestamptz,
    failure_reason text
  );
  create index on handoff_notices (workspace_id, member_id, claimed_at);
  create index on handoff_notices (workspace_id, created_at);
`);
