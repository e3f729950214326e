import { executableBy, tenantKey, timestamps, uuid, withTables } from '../tenant-table.js';

const access = `access text not null default 'private' check (access in ('private', 'workspace', 'public'))`;
const kind = `kind text not null check (kind in ('document', 'image', 'data', 'media', 'other'))`;

/**
 * Folders, files with their versions, and the objects that hold the bytes
 * (docs/decisions/0110-files-versions-bytes-and-rows.md).
 */
export const files = withTables(`
  create tenant table folders (
    ${uuid},
    parent_folder_id bigint references folders,
    name text not null,
    slug text not null,
    description text,
    ${access},
    owner_member_id bigint references members,
    ${timestamps},
    unique nulls not distinct (workspace_id, parent_folder_id, slug)
  );
  create index on folders (workspace_id, owner_member_id);
  alter table chats add ${tenantKey('folder_id', 'folders', 'on delete set null (folder_id)')} not valid;

  -- The bytes of an object that is not stored yet are reserved; its digest may still be unknown. mailed_by and the
  -- digest mailed_domain tell who has sent one that came by mail.
  create tenant table stored_objects (
    ${uuid},
    bytes bigint not null check (bytes >= 0),
    sha256 bytea,
    mime_type text not null,
    state text not null default 'pending' check (state in ('pending', 'stored', 'doomed')),
    state_since timestamptz not null default now(),
    created_by_member_id bigint references members,
    expires_at timestamptz,
    mailed_by text,
    mailed_domain bytea,
    check (state <> 'stored' or sha256 is not null)
  );
  alter table stored_objects add constraint stored_objects_mailed_by_check
    check (mailed_by in ('member', 'stranger')) not valid;
  create index stored_objects_to_collect on stored_objects (workspace_id, state, state_since, id)
    where state <> 'stored';
  create index on stored_objects (workspace_id, created_by_member_id, state) include (bytes, state_since);
  create index stored_objects_to_expire on stored_objects (workspace_id, expires_at, id)
    where expires_at is not null and state = 'stored';
  create index stored_objects_of_strangers on stored_objects (workspace_id, state_since) include (bytes, mailed_domain)
    where mailed_by = 'stranger' and state <> 'doomed';

  -- Without their folder, a disk with stored objects has lost its volume and is not new.
  create function has_stored_objects() returns boolean
    language sql stable security definer set search_path = pg_catalog, pg_temp
    as $$ select exists (select from public.stored_objects where state = 'stored') $$;
  ${executableBy('wes_app', 'has_stored_objects()')}

  create tenant table storage_usage (
    bytes bigint not null default 0 check (bytes >= 0),
    mail_bytes bigint not null default 0 check (mail_bytes >= 0),
    stranger_bytes bigint not null default 0 check (stranger_bytes >= 0),
    unique (workspace_id)
  );
  create function count_mailed_bytes() returns trigger language plpgsql as $$
  declare
    counted stored_objects := coalesce(new, old);
    added bigint := case tg_op when 'INSERT' then counted.bytes else -counted.bytes end;
  begin
    update storage_usage
    set mail_bytes = greatest(0, mail_bytes + added),
      stranger_bytes = greatest(0, stranger_bytes + case counted.mailed_by when 'stranger' then added else 0 end)
    where workspace_id = counted.workspace_id;
    return null;
  end $$;
  create trigger count_mailed after insert on stored_objects for each row
    when (new.mailed_by is not null) execute function count_mailed_bytes();
  create trigger count_mailed_deleted after delete on stored_objects for each row
    when (old.mailed_by is not null) execute function count_mailed_bytes();

  -- Title, name, type and size are those of the current version; a file and its first version are inserted together.
  create tenant table files (
    ${uuid},
    folder_id bigint references folders,
    owner_member_id bigint references members,
    title text not null,
    description text,
    filename text not null,
    mime_type text not null,
    ${kind},
    file_size bigint not null,
    ${access},
    source text not null default 'upload' check (source in ('upload', 'message', 'agent')),
    choice_prompt text,
    external_id text,
    current_version_id bigint not null,
    current_version_number integer not null default 1,
    last_edited_by_member_id bigint references members,
    ${timestamps},
    site_id bigint
  );
  create unique index files_external_id_key on files (workspace_id, external_id) where external_id is not null;
  create index on files (workspace_id, current_version_id);
  create index on files (workspace_id, folder_id, id);
  create index on files (workspace_id, owner_member_id, id);
  create index on files (workspace_id, last_edited_by_member_id);
  create index on files (workspace_id, access, id) where access <> 'private';
  create index on files (workspace_id, kind, id);
  create index on files (workspace_id, title, id);
  create index on files (workspace_id, created_at, id);
  create index on files (workspace_id, updated_at, id);
  create index on files (workspace_id, site_id, id) where site_id is not null;
  create index files_to_forget on files (workspace_id, updated_at, id) where access = 'private';
  -- Visitors make the service look for the icon of a site in a folder that may have many files.
  create index files_icons on files (workspace_id, folder_id, id)
    where filename in ('favicon.svg', 'favicon.png', 'favicon.gif', 'favicon.jpg');

  create tenant table file_versions (
    ${uuid},
    file_id bigint not null references files on delete cascade,
    number integer not null check (number > 0),
    object_id bigint not null references stored_objects,
    filename text not null,
    mime_type text not null,
    ${kind},
    file_size bigint not null,
    uploaded_by_member_id bigint references members,
    created_at timestamptz not null default now(),
    indexing_state text not null default 'pending'
      check (indexing_state in ('pending', 'indexed', 'unsupported', 'failed', 'given_up')),
    indexing_reason text,
    indexing_attempts integer not null default 0,
    indexed_pages integer not null default 0,
    unique (workspace_id, file_id, number)
  );
  alter table files add ${tenantKey('current_version_id', 'file_versions', 'deferrable initially deferred')};
  grant usage on sequence file_versions_id_seq to wes_app;
  create index on file_versions (workspace_id, object_id);
  create index on file_versions (workspace_id, uploaded_by_member_id);
  create index file_versions_to_index on file_versions (workspace_id, id) where indexing_state = 'pending';

  -- Versions that were restored share an object. Whoever deletes versions locks their file first.
  create function doom_objects() returns trigger language plpgsql as $$
  begin
    update stored_objects object set state = 'doomed', state_since = clock_timestamp()
    from gone
    where object.workspace_id = gone.workspace_id and object.id = gone.object_id and object.state <> 'doomed'
      and not exists (select from file_versions kept
        where kept.workspace_id = gone.workspace_id and kept.object_id = gone.object_id);
    return null;
  end $$;
  create trigger doom after delete on file_versions referencing old table as gone
    for each statement execute function doom_objects();
  -- An object that an archive was in, and is in no more, has no other use.
  create function doom_archive() returns trigger language plpgsql as $$
  begin
    update stored_objects set state = 'doomed', state_since = clock_timestamp()
    where workspace_id = old.workspace_id and id = old.object_id and state <> 'doomed';
    return null;
  end $$;

  create tenant table file_shares (
    ${uuid},
    file_id bigint references files on delete cascade,
    folder_id bigint references folders on delete cascade,
    token_hash bytea not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    uses bigint not null default 0,
    last_used_at timestamptz,
    created_by_member_id bigint references members,
    created_at timestamptz not null default now(),
    check (num_nonnulls(file_id, folder_id) = 1),
    unique (workspace_id, token_hash)
  );
  create index on file_shares (workspace_id, file_id, id) where file_id is not null;
  create index on file_shares (workspace_id, folder_id, id) where folder_id is not null;
  create index on file_shares (workspace_id, created_by_member_id);

  -- What a file is attached to; member_id is the member who may read it for that reason.
  create tenant table file_attachments (
    file_id bigint not null references files on delete cascade,
    member_id bigint references members,
    chat_id bigint references chats on delete cascade,
    assignment_id bigint references assignments on delete cascade,
    message_id bigint references messages on delete cascade,
    record_id bigint references data_records on delete cascade,
    attached_by_member_id bigint references members,
    created_at timestamptz not null default now(),
    check (num_nonnulls(chat_id, assignment_id, message_id, record_id) > 0)
  );
  create index on file_attachments (workspace_id, file_id);
  create index on file_attachments (workspace_id, member_id, file_id) where member_id is not null;
  create index on file_attachments (workspace_id, chat_id) where chat_id is not null;
  create index on file_attachments (workspace_id, assignment_id) where assignment_id is not null;
  create index on file_attachments (workspace_id, message_id) where message_id is not null;
  create index on file_attachments (workspace_id, attached_by_member_id) where attached_by_member_id is not null;
  -- A record holds a file once.
  create unique index file_attachments_of_record on file_attachments (workspace_id, record_id, file_id)
    where record_id is not null;
`);
