import { executableBy, timestamps, uuid, withTables } from '../tenant-table.js';

/** Members with their roles, assistants, and addresses of members that nobody has proved. */
export const people = withTables(`
  create tenant table member_roles (
    name text not null,
    use_admin boolean not null default false,
    manage_workspace boolean not null default false,
    permissions text[] not null default '{}',
    ${timestamps},
    unique (workspace_id, name)
  );

  -- vouched_for is what the workspace has vouched for (docs/decisions/0223-who-is-nobody.md): record, that it has
  -- written the person down itself, and email and phone, that the address is the person's.
  create tenant table members (
    ${uuid},
    kind text not null default 'human' check (kind in ('human', 'assistant')),
    name text,
    email text,
    phone text,
    date_of_birth date,
    description text,
    external_id text,
    member_role_id bigint not null references member_roles,
    locale text,
    notify_email boolean not null default true,
    notify_sms boolean not null default true,
    notify_voice boolean not null default true,
    deleted_at timestamptz,
    ${timestamps},
    disabled_at timestamptz,
    sms_opted_out_at timestamptz,
    vouched_for text[] not null default '{}'
  );

  -- A deleted member stays, so that its history is readable; its identifiers become available.
  create unique index members_email_key on members (workspace_id, email) where deleted_at is null;
  create unique index members_phone_key on members (workspace_id, phone) where deleted_at is null;
  create unique index members_external_id_key on members (workspace_id, external_id) where deleted_at is null;
  create index on members (workspace_id, member_role_id);
  create index members_claimed_email on members (email) where deleted_at is null and kind = 'human';
  create index members_claimed_phone on members (phone) where deleted_at is null and kind = 'human';

  create tenant table assistants (
    ${uuid},
    member_id bigint not null references members,
    instructions text not null default '',
    chat_model_id text,
    realtime_model_id text,
    chat_model_config jsonb not null default '{}',
    realtime_model_config jsonb not null default '{}',
    is_default boolean not null default false,
    enabled boolean not null default true,
    ${timestamps},
    unique (workspace_id, member_id)
  );
  create unique index assistants_default_key on assistants (workspace_id) where is_default;

  -- Addresses that a form gave (docs/decisions/0060-identifiers-are-bound-by-proof.md). One that is in the member's
  -- row as well is in use, unless it is barred: then it signs nobody in and attributes no message. Any other is
  -- pending. One that is disputed was proved by somebody else and has left the row.
  create tenant table unproved_identifiers (
    member_id bigint not null references members on delete cascade,
    channel text not null check (channel in ('email', 'phone')),
    address text not null,
    created_at timestamptz not null default now(),
    barred_at timestamptz,
    disputed_at timestamptz,
    unique (workspace_id, member_id, channel, address)
  );
  create index on unproved_identifiers (address);

  -- The proof of an address must find its claims over all workspaces, and members are under policies: functions of
  -- the owner bypass them, and return only ids (docs/decisions/0043-accounts-behind-members.md).
  create function identity.members_claiming(channel text, address text)
    returns table (workspace_id bigint, member_id bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    as $$
      select m.workspace_id, m.id from public.members m
      where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
        and m.deleted_at is null and m.kind = 'human'
        and not exists (
          select from public.unproved_identifiers u
          where u.workspace_id = m.workspace_id and u.member_id = m.id and u.channel = $1 and u.address = $2
            and u.barred_at is not null)
    $$;
  ${executableBy('wes_app', 'identity.members_claiming(text, text)')}

  -- The same, and nobody changes or deletes these members until the transaction ends.
  create function identity.hold_members_claiming(channel text, address text)
    returns table (workspace_id bigint, member_id bigint)
    language sql volatile security definer set search_path = pg_catalog, pg_temp
    as $$
      select m.workspace_id, m.id from public.members m
      where (($1 = 'email' and m.email = $2) or ($1 = 'phone' and m.phone = $2))
        and m.deleted_at is null and m.kind = 'human'
        and not exists (
          select from public.unproved_identifiers u
          where u.workspace_id = m.workspace_id and u.member_id = m.id and u.channel = $1 and u.address = $2
            and u.barred_at is not null)
      order by m.id for no key update of m
    $$;
  ${executableBy('wes_app', 'identity.hold_members_claiming(text, text)')}

  create function identity.members_pending(channel text, address text)
    returns table (workspace_id bigint, member_id bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    as $$
      select m.workspace_id, m.id
      from public.unproved_identifiers u
      join public.members m on m.workspace_id = u.workspace_id and m.id = u.member_id
      where u.address = $2 and u.channel = $1 and m.deleted_at is null and m.kind = 'human'
        and (u.barred_at is not null or (case when $1 = 'email' then m.email else m.phone end) is distinct from $2)
    $$;
  ${executableBy('wes_app', 'identity.members_pending(text, text)')}

  -- Members whose row has an address that is barred.
  create function identity.members_barred(channel text, address text)
    returns table (workspace_id bigint, member_id bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    as $$
      select m.workspace_id, m.id
      from public.unproved_identifiers u
      join public.members m on m.workspace_id = u.workspace_id and m.id = u.member_id
      where u.address = $2 and u.channel = $1 and u.barred_at is not null
        and m.deleted_at is null and m.kind = 'human'
        and (case when $1 = 'email' then m.email else m.phone end) = $2
    $$;
  ${executableBy('wes_app', 'identity.members_barred(text, text)')}
`);

/**
 * Imports of members that a run carries out (docs/decisions/0198-durable-imports-of-members.md): part of what they
 * have read is in the storage.
 */
export const memberImports = withTables(`
  create tenant table member_imports (
    ${uuid},
    member_id bigint not null references members,
    credential_kind text not null,
    credential_id bigint not null,
    scopes text[],
    object_id bigint references stored_objects on delete set null,
    layout jsonb not null,
    columns_passed_over jsonb not null,
    data_type_ids jsonb not null,
    new_member_role_id bigint not null,
    blank_cells text not null check (blank_cells in ('keep', 'clear')),
    total integer not null check (total >= 0),
    rows_done integer not null default 0 check (rows_done between 0 and total),
    created integer not null default 0,
    updated integer not null default 0,
    unchanged integer not null default 0,
    failed_rows jsonb not null default '[]',
    errors jsonb not null default '[]',
    updated_members jsonb not null default '[]',
    attempts integer not null default 0,
    state text not null default 'running' check (state in ('running', 'completed', 'cancelled', 'failed')),
    failure_reason text,
    finished_at timestamptz,
    ${timestamps},
    created_members jsonb not null default '[]',
    check ((state = 'running') = (finished_at is null)),
    check ((state = 'failed') = (failure_reason is not null))
  );
  create index member_imports_open on member_imports (workspace_id, id) where finished_at is null;
  create index member_imports_ended on member_imports (workspace_id, finished_at) where finished_at is not null;
  create index on member_imports (workspace_id, member_id);
  create index on member_imports (workspace_id, object_id) where object_id is not null;
  create trigger doom after update of object_id on member_imports for each row
    when (old.object_id is not null and old.object_id is distinct from new.object_id)
    execute function doom_archive();
  create trigger doom_deleted after delete on member_imports for each row
    when (old.object_id is not null) execute function doom_archive();
`);
