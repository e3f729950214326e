import { executableBy, uuid, withTables } from '../tenant-table.js';

/** Erasures of one person's data, and archives of it. */
export const personData = withTables(`
  -- What is erased (docs/decisions/0114-one-persons-data-is-declared-and-erased.md). begun_in is the transaction that
  -- the erasure began in: what older ones write is awaited. place is where it has stopped, so that the next slice
  -- goes on there.
  create tenant table person_erasures (
    ${uuid},
    member_id bigint not null references members,
    requested_by_member_id bigint not null references members,
    account_id bigint,
    begun_in bigint not null default pg_current_xact_id()::text::bigint,
    counts jsonb not null default '{}',
    created_at timestamptz not null default now(),
    erased_at timestamptz,
    look_again_at timestamptz,
    finished_at timestamptz,
    place jsonb,
    reopened_at timestamptz,
    unique (workspace_id, member_id)
  );
  create index on person_erasures (workspace_id, requested_by_member_id);
  create index person_erasures_open on person_erasures (workspace_id, id) where finished_at is null;
  create index person_erasures_not_erased on person_erasures ((coalesce(reopened_at, created_at)))
    where erased_at is null;
  -- Sees all workspaces, so only the relay may call it, and it returns a number alone.
  create function oldest_erasure_seconds() returns float8
    language sql stable security definer set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
    as $$
      select coalesce((
        select greatest(0, extract(epoch from now() - coalesce(reopened_at, created_at)))::float8
        from public.person_erasures where erased_at is null
        order by coalesce(reopened_at, created_at) limit 1
      ), 0)
    $$;
  ${executableBy('wes_relay', 'oldest_erasure_seconds()')}

  -- By which imports know that somebody was erased meanwhile (decision 198).
  create tenant table erased_identifiers (
    erasure_id bigint not null references person_erasures on delete cascade,
    digest bytea not null check (length(digest) = 32),
    erased_at timestamptz not null,
    unique (workspace_id, erasure_id, digest)
  );
  revoke update on erased_identifiers from wes_app;
  create index on erased_identifiers (workspace_id, digest, erased_at);

  -- Archives of what is stored (docs/decisions/0114-one-persons-data-is-declared-and-erased.md).
  create tenant table person_exports (
    ${uuid},
    member_id bigint not null references members,
    requested_by_member_id bigint not null references members,
    includes_internal boolean not null,
    kept_days integer not null check (kept_days > 0),
    attempts integer not null default 0,
    object_id bigint references stored_objects on delete set null,
    row_count bigint not null default 0,
    file_count bigint not null default 0,
    left_out_count bigint not null default 0,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    expires_at timestamptz,
    failure_reason text
  );
  create unique index person_exports_once on person_exports (workspace_id, member_id, includes_internal)
    where finished_at is null;
  create index person_exports_open on person_exports (workspace_id, id) where finished_at is null;
  create index on person_exports (workspace_id, member_id, id);
  create index on person_exports (workspace_id, requested_by_member_id);
  create index on person_exports (workspace_id, object_id) where object_id is not null;
  create trigger doom after update of object_id on person_exports for each row
    when (old.object_id is not null and old.object_id is distinct from new.object_id)
    execute function doom_archive();
  create trigger doom_deleted after delete on person_exports for each row
    when (old.object_id is not null) execute function doom_archive();
`);
