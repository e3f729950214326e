import { tenantKey, tenantPolicies, timestamps, uuid, withTables } from '../tenant-table.js';

/** The size in bytes of values, because the stored size of a jsonb value is the compressed one (decision 64). */
const bytesOf = (values: string) => `value_bytes int not null generated always as (${values}) stored`;

/** Data types, their records with all changes, and the values by which records are found. */
export const records = withTables(`
  create tenant table data_types (
    ${uuid},
    name text not null,
    slug text not null,
    is_collection boolean not null,
    fields jsonb not null default '[]',
    ${timestamps},
    unique (workspace_id, slug)
  );

  -- is_single copies the type's isCollection = false, so that an index can allow one record per member. is_retired is
  -- a column because of the planner: for a table without statistics it assumes that retired_at is null is rare, and
  -- prefers an index on that condition to all others.
  create tenant table data_records (
    ${uuid},
    data_type_id bigint not null references data_types,
    member_id bigint not null references members,
    is_single boolean not null,
    external_id text,
    field_values jsonb not null default '{}',
    access_mode integer not null default 0 check (access_mode between 0 and 3),
    assignment_task_id bigint,
    retired_at timestamptz,
    retired_by_member_id bigint references members,
    retired_reason text,
    ${timestamps},
    is_retired boolean not null generated always as (retired_at is not null) stored,
    ${bytesOf('octet_length(field_values::text)')}
  );

  -- Ids are reserved, so that a record and all rows that refer to it are sent in one message.
  grant usage on sequence data_records_id_seq to wes_app;
  create unique index data_records_external_id_key on data_records (workspace_id, data_type_id, external_id);
  create unique index data_records_single_key on data_records (workspace_id, data_type_id, member_id)
    where is_single and retired_at is null;
  create index on data_records (workspace_id, member_id);
  create index data_records_of_member on data_records (workspace_id, data_type_id, member_id, is_retired, id);
  create index data_records_of_task on data_records (workspace_id, assignment_task_id)
    where assignment_task_id is not null;
  create index data_records_by_id on data_records (workspace_id, data_type_id, is_retired, id);
  create index data_records_by_creation on data_records (workspace_id, data_type_id, is_retired, created_at, id);
  create index data_records_by_update on data_records (workspace_id, data_type_id, is_retired, updated_at, id);
  create index data_records_shared on data_records (workspace_id, data_type_id, is_retired, id) where access_mode = 3;

  create tenant table data_record_changes (
    record_id bigint not null references data_records on delete cascade,
    operation text not null check (operation in ('created', 'updated', 'retired', 'restored')),
    before jsonb,
    after jsonb,
    actor_member_id bigint references members,
    created_at timestamptz not null default now(),
    ${bytesOf('coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)')}
  );
  create index on data_record_changes (workspace_id, record_id, id);

  -- The values by which records are found and sorted (docs/decisions/0041-searchable-values.md). A value is in one of
  -- two columns, in the form in which it is compared; a row with a value in neither says that the record has none.
  -- The words of all texts of a record are stored under the field ''. There are many rows, so they have no ids of
  -- their own.
  create table data_record_values (
    workspace_id bigint not null,
    data_type_id bigint not null,
    record_id bigint not null,
    number_value float8,
    retired boolean not null,
    is_unique boolean not null,
    field text collate "C" not null,
    text_value text collate "C",
    ${tenantKey('record_id', 'data_records', 'on delete cascade')}
  );
  ${tenantPolicies('data_record_values', 'select, insert, delete')}
  create index data_record_values_order on data_record_values
    (workspace_id, data_type_id, field, retired, text_value, number_value, record_id);
  create index data_record_values_record on data_record_values (workspace_id, record_id, field);
  create unique index data_record_values_unique_key on data_record_values
    (workspace_id, data_type_id, field, text_value, number_value) nulls not distinct
    where is_unique and not retired and (text_value is not null or number_value is not null);

  -- The bytes of records that a workspace stores, as a journal: one counter would make its writers wait for each
  -- other.
  create table stored_bytes (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references identity.workspaces (id),
    bytes bigint not null
  );
  create index on stored_bytes (workspace_id, id);
  ${tenantPolicies('stored_bytes')}
  create function note_stored_bytes() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into stored_bytes (workspace_id, bytes)
        select workspace_id, sum(value_bytes) from changed group by workspace_id;
    else
      insert into stored_bytes (workspace_id, bytes)
        select workspace_id, -sum(value_bytes) from changed group by workspace_id;
    end if;
    return null;
  end $$;
  create trigger note_added_bytes after insert on data_record_changes
    referencing new table as changed for each statement execute function note_stored_bytes();
  create trigger note_removed_bytes after delete on data_record_changes
    referencing old table as changed for each statement execute function note_stored_bytes();
`);
