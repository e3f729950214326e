import { uuid, withTables } from '../tenant-table.js';

/**
 * What the OAuth authorization server keeps (docs/decisions/0172-oauth.md). Codes, tokens and cookies are stored by
 * their SHA-256 only. A grant is what a person has consented to: one application, one workspace, some scopes, one
 * resource.
 */
export const oauth = withTables(`
  create identity table oauth_clients (
    ${uuid},
    client_id text not null unique,
    account_id bigint references identity.accounts,
    name text not null,
    server_url text,
    redirect_uris text[] not null,
    scopes text[] not null,
    is_native boolean not null,
    secret_hash bytea,
    secret_hint text,
    former_secret_hash bytea,
    former_secret_until timestamptz,
    registrant_hash bytea,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    last_used_at timestamptz
  );
  create index oauth_clients_of_account on identity.oauth_clients (account_id) where account_id is not null;
  create index oauth_clients_of_registrant on identity.oauth_clients (registrant_hash, created_at)
    where registrant_hash is not null;
  create index oauth_clients_registered on identity.oauth_clients (created_at) where account_id is null;

  create identity table oauth_grants (
    ${uuid},
    grant_id text not null unique,
    account_id bigint not null references identity.accounts,
    workspace_id bigint not null references identity.workspaces,
    client_id text not null,
    client_name text not null,
    scopes text[] not null,
    resource text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz,
    revoked_by text check (revoked_by in ('person', 'client', 'reuse', 'application'))
  );
  create index oauth_grants_of_account on identity.oauth_grants (account_id, created_at);
  create index oauth_grants_of_client on identity.oauth_grants (client_id) where revoked_at is null;
  create index oauth_grants_of_workspace on identity.oauth_grants (workspace_id);
  create index oauth_grants_expired on identity.oauth_grants (expires_at);

  create identity table oauth_access_tokens (
    hash bytea not null unique,
    grant_id text not null references identity.oauth_grants (grant_id) on delete cascade,
    client_id text not null,
    scopes text[] not null,
    resource text not null,
    payload jsonb not null,
    expires_at timestamptz not null
  );
  create index oauth_access_tokens_of_grant on identity.oauth_access_tokens (grant_id);
  create index oauth_access_tokens_expired on identity.oauth_access_tokens (expires_at);

  create identity table oauth_artifacts (
    model text not null,
    hash bytea not null,
    grant_id text,
    account_id bigint,
    uid_hash bytea,
    payload jsonb not null,
    consumed_at timestamptz,
    expires_at timestamptz not null,
    unique (model, hash)
  );
  create index oauth_artifacts_of_grant on identity.oauth_artifacts (grant_id) where grant_id is not null;
  create index oauth_artifacts_of_account on identity.oauth_artifacts (account_id) where account_id is not null;
  create index oauth_artifacts_by_uid on identity.oauth_artifacts (uid_hash) where uid_hash is not null;
  create index oauth_artifacts_expired on identity.oauth_artifacts (expires_at);

  create identity table oauth_replays (
    hash bytea not null unique,
    client_id text not null,
    grant_id text not null references identity.oauth_grants (grant_id) on delete cascade,
    answer bytea not null,
    expires_at timestamptz not null
  );
  create index oauth_replays_of_grant on identity.oauth_replays (grant_id);
  create index oauth_replays_expired on identity.oauth_replays (expires_at);

  create identity table oauth_keys (
    kid text not null unique,
    private_key bytea not null,
    created_at timestamptz not null,
    signs_from timestamptz not null,
    expires_at timestamptz
  );

  -- The one key of the pseudonyms in ID tokens, encrypted (decision 172). The first process that needs it stores it.
  create table identity.oauth_subject_keys (
    id bigint primary key default 1 check (id = 1),
    subject_key bytea not null,
    created_at timestamptz not null
  );
  grant select, insert, update on identity.oauth_subject_keys to wes_app;
`);
