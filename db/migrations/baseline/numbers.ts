import { timestamps, uuid, withTables } from '../tenant-table.js';

/**
 * Phone numbers: the pool that the operator of the installation fills, those that a workspace takes from it
 * (docs/decisions/0019-phone-numbers-are-the-operators.md), and how fast they send.
 */
export const numbers = withTables(`
  create identity table phone_number_pool (
    number text not null unique,
    workspace_id bigint references identity.workspaces (id),
    purpose text not null default 'workspaces' check (purpose in ('workspaces', 'login_codes')),
    source text not null check (source in ('superuser', 'setting', 'earlier_release')),
    created_at timestamptz not null default now(),
    check (purpose = 'workspaces' or workspace_id is null)
  );
  create index on identity.phone_number_pool (workspace_id);
  create table identity.phone_number_routes (
    number text primary key,
    workspace_id bigint not null references identity.workspaces (id),
    phone_number_id bigint not null,
    constraint phone_number_routes_number_in_pool
      foreign key (number) references identity.phone_number_pool (number)
  );
  grant select, insert, update, delete on identity.phone_number_routes to wes_app;

  -- Few countries have MMS (docs/decisions/0118-messages-say-which-files-they-carried.md).
  create tenant table phone_numbers (
    ${uuid},
    number text not null,
    name text not null,
    sms_enabled boolean not null default true,
    voice_enabled boolean not null default true,
    inbound_definition_id bigint,
    ${timestamps},
    mms_enabled boolean not null default false,
    segments_per_second double precision check (segments_per_second > 0),
    business_hours jsonb,
    greeting text,
    unique (workspace_id, number)
  );

  -- When the next slot of a sender is (docs/decisions/0139-a-pace-for-each-number.md).
  create tenant table sender_paces (
    sender text not null,
    next_at timestamptz not null,
    late_at timestamptz,
    paused_until timestamptz,
    unique (workspace_id, sender)
  );

  -- Up to when a carrier's inbound messages have been taken, and the numbers that get no login codes (decision 78).
  create table identity.carrier_cursors (
    account text primary key,
    taken_until timestamptz not null,
    updated_at timestamptz not null
  );
  grant select, insert, update on identity.carrier_cursors to wes_app;
  create table identity.code_opt_outs (
    sender text not null,
    recipient text not null,
    opted_out_at timestamptz,
    heard_at timestamptz not null,
    primary key (sender, recipient)
  );
  grant select, insert, update on identity.code_opt_outs to wes_app;
`);
