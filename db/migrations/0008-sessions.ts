import type { Knex } from 'knex';

/**
 * Sessions, and the codes and tokens that start them. Secrets are stored as hashes only. Addresses that were entered
 * are stored as keyed hashes, because most of them may belong to no known account.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.login_codes (
      id bigint generated always as identity primary key,
      uuid uuid not null default gen_random_uuid() unique,
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
      created_at timestamptz not null
    );
    create index on identity.login_codes (identifier_hash) where used_at is null and superseded_at is null;
    create index on identity.login_codes (expires_at);

    create table identity.login_limits (
      key bytea primary key,
      count integer not null,
      expires_at timestamptz not null
    );
    create index on identity.login_limits (expires_at);

    create table identity.sessions (
      id bigint generated always as identity primary key,
      uuid uuid not null default gen_random_uuid() unique,
      hash bytea not null unique,
      account_id bigint references identity.accounts (id),
      workspace_id bigint references identity.workspaces (id),
      member_id bigint,
      user_agent text,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      check ((account_id is null) = (member_id is not null)),
      check ((workspace_id is null) = (member_id is null))
    );
    create index on identity.sessions (account_id) where account_id is not null;
    create index on identity.sessions (workspace_id, member_id) where member_id is not null;
    create index on identity.sessions (expires_at);

    create table identity.member_tokens (
      id bigint generated always as identity primary key,
      hash bytea not null unique,
      workspace_id bigint not null references identity.workspaces (id),
      member_id bigint not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz not null
    );
    create index on identity.member_tokens (expires_at);

    grant select, insert, update, delete
      on identity.login_codes, identity.login_limits, identity.sessions, identity.member_tokens to wes_app;

    -- A login code belongs to no workspace, and its run has to be started all the same. Such rows are seen and
    -- written only where no workspace is set.
    alter table outbox alter column workspace_id drop not null;
    alter policy tenant on outbox
      using (workspace_id = current_workspace() or (workspace_id is null and current_workspace() is null))
      with check (workspace_id = current_workspace() or (workspace_id is null and current_workspace() is null));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from outbox where workspace_id is null;
    alter policy tenant on outbox
      using (workspace_id = current_workspace()) with check (workspace_id = current_workspace());
    alter table outbox alter column workspace_id set not null;
    drop table identity.member_tokens, identity.sessions, identity.login_limits, identity.login_codes;
  `);
}
