import type { Knex } from 'knex';

/**
 * Schema `identity` contains the tables that are read before a tenant is known. They have no policies, and only
 * `db/identity` accesses them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create schema identity;
    grant usage on schema identity, public to wes_app;

    create function current_workspace() returns bigint language sql stable parallel safe
      as $$ select nullif(current_setting('app.workspace_id', true), '')::bigint $$;

    create table identity.workspaces (
      id bigint generated always as identity primary key,
      uuid uuid not null default gen_random_uuid() unique,
      name text not null,
      slug text not null unique,
      default_region text not null default 'US',
      locale text not null default 'en-US',
      timezone text not null default 'UTC',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table identity.accounts (
      id bigint generated always as identity primary key,
      uuid uuid not null default gen_random_uuid() unique,
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
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table identity.memberships (
      workspace_id bigint not null references identity.workspaces (id),
      member_id bigint not null,
      account_id bigint not null references identity.accounts (id),
      created_at timestamptz not null default now(),
      primary key (workspace_id, member_id),
      unique (account_id, workspace_id)
    );

    create table identity.api_keys (
      id bigint generated always as identity primary key,
      uuid uuid not null default gen_random_uuid() unique,
      account_id bigint not null references identity.accounts (id),
      workspace_id bigint references identity.workspaces (id),
      name text not null,
      prefix text not null,
      hash bytea not null unique,
      scopes text[] not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz not null default now()
    );
    create index on identity.api_keys (account_id);

    create table identity.phone_number_routes (
      number text primary key,
      workspace_id bigint not null references identity.workspaces (id),
      phone_number_id bigint not null
    );

    grant select, insert, update, delete on all tables in schema identity to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop schema identity cascade; drop function current_workspace();');
}
