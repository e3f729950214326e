import { timestamps, uuid, withTables } from '../tenant-table.js';

/**
 * Groups of workspaces with settings of their own (docs/decisions/0168-organizations.md), and signing in by their
 * provider.
 */
export const organizations = withTables(`
  create identity table organizations (
    ${uuid},
    name text not null,
    slug text not null unique,
    join_domains text[] not null default '{}',
    logo_workspace_id bigint references identity.workspaces (id),
    logo_file_id bigint,
    created_by_account_id bigint references identity.accounts (id),
    ${timestamps},
    sso_only boolean not null default false,
    public_path text,
    anyone_may_join boolean not null default false,
    check ((logo_workspace_id is null) = (logo_file_id is null)),
    constraint organizations_public_path check (public_path is not null or not sso_only)
  );
  create index on identity.organizations (created_by_account_id);
  alter table identity.workspaces add foreign key (organization_id) references identity.organizations (id);
  create index on identity.workspaces (organization_id) where organization_id is not null;
  alter table identity.sessions add foreign key (organization_id) references identity.organizations (id);
  create index on identity.sessions (organization_id, account_id) where organization_id is not null;

  create identity table organization_members (
    organization_id bigint not null references identity.organizations (id),
    account_id bigint not null references identity.accounts (id) on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member')),
    status text not null default 'active' check (status in ('active', 'disabled')),
    name text,
    email text,
    joined_by text not null check (joined_by in ('founding', 'invitation', 'domain', 'open', 'sso')),
    ${timestamps},
    unique (organization_id, account_id)
  );
  create index on identity.organization_members (account_id);

  create identity table organization_invitations (
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

  create identity table organization_sessions (
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

  -- A session that the provider has begun is good in its organization only (decision 169).
  create function identity.bind_session_to_organization() returns trigger language plpgsql as $$
  begin
    update identity.sessions set organization_id = new.organization_id, expires_at = least(expires_at, new.expires_at)
      where id = new.session_id;
    return null;
  end $$;
  create trigger bind_session_to_organization after insert on identity.organization_sessions
    for each row when (new.by_sso) execute function identity.bind_session_to_organization();

  create table identity.identity_providers (
    organization_id bigint primary key references identity.organizations (id),
    issuer text not null,
    client_id text not null,
    client_secret bytea not null,
    email_domains text[] not null default '{}',
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  grant select, insert, update, delete on identity.identity_providers to wes_app;

  create identity table external_identities (
    organization_id bigint not null references identity.organizations (id),
    issuer text not null,
    subject text not null,
    account_id bigint not null references identity.accounts (id) on delete cascade,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    unique (organization_id, issuer, subject)
  );
  create index on identity.external_identities (account_id);
`);
