import { timestamps, uuid, withTables } from '../tenant-table.js';

/**
 * Workspaces, accounts, and what they are used with: keys, sessions, codes and tokens. Secrets are stored as hashes
 * only.
 */
export const identity = withTables(`
  create identity table workspaces (
    ${uuid},
    name text not null,
    slug text not null unique,
    default_region text not null default 'US',
    locale text not null default 'en-US',
    timezone text not null default 'UTC',
    ${timestamps},
    created_by_account_id bigint,
    -- The origins of web pages that may read the API's responses for the workspace in a browser (CORS).
    allowed_origins text[] not null default '{}',
    chat_retention_days integer check (chat_retention_days between 7 and 3650),
    file_retention_days integer check (file_retention_days between 7 and 3650),
    handoff_notices jsonb,
    quiet_hours jsonb,
    -- The hosts that agents may send requests to.
    request_hosts text[] not null default '{}',
    -- The countries that the workspace calls; null: that of the number that it calls from.
    call_countries text[],
    record_calls boolean not null default true,
    recording_retention_days integer check (recording_retention_days between 7 and 3650),
    calls_per_day integer not null default 5 check (calls_per_day between 1 and 20),
    recording_notice jsonb,
    recording_consent text not null default 'notice' check (recording_consent in ('notice', 'ask')),
    business_hours jsonb,
    voice_identity jsonb,
    audit_retention_days integer not null default 365,
    organization_id bigint,
    sms_countries text[],
    sms_per_day integer not null default 10000 check (sms_per_day between 1 and 100000),
    workspace_calls_per_day integer not null default 1000 check (workspace_calls_per_day between 1 and 10000),
    postal_address text
  );

  -- An account that stands alone has one member, nobody has signed in to it, and it has no address of its own.
  create identity table accounts (
    ${uuid},
    name text,
    email text unique,
    phone text unique,
    email_verified_at timestamptz,
    phone_verified_at timestamptz,
    avatar_url text,
    is_superuser boolean not null default false,
    enabled boolean not null default true,
    signup_workspace_id bigint references identity.workspaces (id),
    tos_accepted boolean not null default false,
    opted_out boolean not null default false,
    payment_customer_id text,
    locale text not null default 'en-US',
    timezone text not null default 'UTC',
    ${timestamps},
    stands_alone boolean not null default false,
    constraint accounts_stands_alone_check check (not stands_alone or (email is null and phone is null))
  );
  create unique index accounts_payment_customer_key on identity.accounts (payment_customer_id)
    where payment_customer_id is not null;
  alter table identity.workspaces
    add foreign key (created_by_account_id) references identity.accounts (id) on delete set null;
  create index on identity.workspaces (created_by_account_id) where created_by_account_id is not null;
  create index workspaces_with_handoff_notices on identity.workspaces (id) where handoff_notices is not null;

  -- Where an account has first come from (docs/accounts.md).
  create identity table account_acquisitions (
    account_id bigint not null unique references identity.accounts (id) on delete cascade,
    touch jsonb not null,
    recorded_at timestamptz not null
  );
  revoke update on identity.account_acquisitions from wes_app;

  -- A membership has a uuid of the account and accepted terms of its own, so that workspaces cannot compare them.
  -- Members with support access come and go, so that a workspace cannot rely on them.
  create table identity.memberships (
    workspace_id bigint not null references identity.workspaces (id),
    member_id bigint not null,
    account_id bigint not null references identity.accounts (id),
    created_at timestamptz not null default now(),
    is_support boolean not null default false,
    account_alias uuid not null default gen_random_uuid(),
    tos_accepted boolean not null default false,
    support_reason text,
    support_ends_at timestamptz,
    primary key (workspace_id, member_id),
    unique (account_id, workspace_id)
  );
  grant select, insert, update, delete on identity.memberships to wes_app;

  -- A key that has ended is not forgotten while messages that are sent later ask whether it was revoked
  -- (needed_until).
  create identity table api_keys (
    ${uuid},
    account_id bigint not null references identity.accounts (id),
    workspace_id bigint references identity.workspaces (id),
    name text not null,
    prefix text not null,
    hash bytea not null unique,
    scopes text[] not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz not null default now(),
    parent_id bigint references identity.api_keys (id) on delete set null,
    needed_until timestamptz
  );
  create index on identity.api_keys (account_id);
  create index on identity.api_keys (parent_id) where parent_id is not null;
  create index on identity.api_keys (workspace_id) where workspace_id is not null;

  -- Addresses that were entered are keyed hashes, because most of them may belong to no known account. Where no
  -- account has the address of a code, the claimant is the member that says so. A code may be for an address that an
  -- account is to get.
  create identity table login_codes (
    ${uuid},
    account_id bigint references identity.accounts (id),
    channel text not null check (channel in ('email', 'phone')),
    identifier_hash bytea not null,
    wrong_tries integer not null default 0,
    expires_at timestamptz not null,
    superseded_at timestamptz,
    used_at timestamptz,
    claimed_at timestamptz,
    sent_at timestamptz,
    failure_reason text,
    created_at timestamptz not null,
    claimant_workspace_id bigint references identity.workspaces (id),
    claimant_member_id bigint,
    claim_token uuid,
    requester_hash bytea,
    nonce bytea,
    for_account_id bigint references identity.accounts (id) on delete cascade,
    new_address text,
    constraint login_codes_claimant_check check (
      (claimant_workspace_id is null) = (claimant_member_id is null)
      and (account_id is null or claimant_member_id is null)),
    constraint login_codes_new_address_check check ((for_account_id is null) = (new_address is null))
  );
  create index on identity.login_codes (identifier_hash) where used_at is null and superseded_at is null;
  create index on identity.login_codes (expires_at);
  create table identity.login_limits (
    key bytea primary key,
    count integer not null,
    expires_at timestamptz not null
  );
  create index on identity.login_limits (expires_at);
  grant select, insert, update, delete on identity.login_limits to wes_app;

  -- A session of an account, or of a member by a token. Such a session, as its token, has the permissions that it
  -- grants (granted), and ends once its role has more than it had then (role_grants): decision 28. The key that
  -- created the token ends both. One that is sealed reads no record that was written since: another form brought data
  -- after it was given.
  create identity table sessions (
    ${uuid},
    hash bytea not null unique,
    account_id bigint references identity.accounts (id),
    workspace_id bigint references identity.workspaces (id),
    member_id bigint,
    user_agent text,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    role_grants text[],
    granted text[],
    api_key_id bigint references identity.api_keys (id) on delete set null,
    organization_id bigint,
    sealed_at timestamptz,
    check ((account_id is null) = (member_id is not null)),
    check ((workspace_id is null) = (member_id is null))
  );
  create index on identity.sessions (account_id) where account_id is not null;
  create index on identity.sessions (workspace_id, member_id) where member_id is not null;
  create index on identity.sessions (expires_at);
  create index sessions_api_key on identity.sessions (api_key_id) where api_key_id is not null;

  create identity table member_tokens (
    hash bytea not null unique,
    workspace_id bigint not null references identity.workspaces (id),
    member_id bigint not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    created_at timestamptz not null,
    role_grants text[],
    granted text[],
    api_key_id bigint references identity.api_keys (id) on delete set null,
    sealed_at timestamptz
  );
  create index on identity.member_tokens (expires_at);
  create index on identity.member_tokens (workspace_id, member_id) where used_at is null;
  create index member_tokens_api_key on identity.member_tokens (api_key_id) where api_key_id is not null;

  -- The places at which jobs that walk through all workspaces go on.
  create table identity.walks (
    name text primary key,
    place jsonb,
    looked_until timestamptz,
    looked_from timestamptz
  );
  grant select, insert, update, delete on identity.walks to wes_app;
`);
