import type { Knex } from 'knex';
import { timestamps, uuid } from './tenant-table.js';

/**
 * Organizations: groups of workspaces with settings of their own, their members, and the sessions that members have joined
 * with (docs/decisions/0168-organizations.md). Only hashes of the tokens of sessions are stored.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.organizations (
      id bigint generated always as identity primary key,
      ${uuid},
      name text not null,
      slug text not null constraint organizations_slug_key unique,
      join_domains text[] not null default '{}',
      logo_workspace_id bigint references identity.workspaces (id),
      logo_file_id bigint,
      created_by_account_id bigint references identity.accounts (id),
      ${timestamps},
      check ((logo_workspace_id is null) = (logo_file_id is null))
    );
    create index on identity.organizations (created_by_account_id);

    create table identity.organization_members (
      id bigint generated always as identity primary key,
      organization_id bigint not null references identity.organizations (id),
      account_id bigint not null references identity.accounts (id) on delete cascade,
      role text not null check (role in ('owner', 'admin', 'member')),
      status text not null default 'active' check (status in ('active', 'disabled')),
      name text,
      email text,
      joined_by text not null check (joined_by in ('founding', 'invitation', 'domain', 'sso')),
      ${timestamps},
      unique (organization_id, account_id)
    );
    create index on identity.organization_members (account_id);

    create table identity.organization_invitations (
      id bigint generated always as identity primary key,
      organization_id bigint not null references identity.organizations (id),
      email text not null,
      role text not null check (role in ('owner', 'admin', 'member')),
      invited_by_account_id bigint references identity.accounts (id) on delete set null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      unique (organization_id, email)
    );
    create index on identity.organization_invitations (email);
    create index on identity.organization_invitations (expires_at);

    create table identity.organization_sessions (
      id bigint generated always as identity primary key,
      organization_id bigint not null references identity.organizations (id),
      session_id bigint not null references identity.sessions (id) on delete cascade,
      account_id bigint not null references identity.accounts (id) on delete cascade,
      hash bytea not null unique,
      by_sso boolean not null default false,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz
    );
    create index on identity.organization_sessions (session_id);
    create index on identity.organization_sessions (account_id, organization_id);
    create index on identity.organization_sessions (expires_at);

    alter table identity.workspaces add column organization_id bigint references identity.organizations (id);
    create index on identity.workspaces (organization_id) where organization_id is not null;

    grant select, insert, update, delete on identity.organizations, identity.organization_members,
      identity.organization_invitations, identity.organization_sessions to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.workspaces drop column organization_id;
    drop table identity.organization_sessions, identity.organization_invitations, identity.organization_members,
      identity.organizations;
  `);
}
