import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

const access = `access text not null default 'private' check (access in ('private', 'workspace', 'public'))`;

/**
 * Folders, files with their versions, and the objects that hold the bytes
 * (docs/decisions/0110-files-versions-bytes-and-rows.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'folders',
        `${uuid},
         parent_folder_id bigint,
         name text not null,
         slug text not null,
         description text,
         ${access},
         owner_member_id bigint,
         ${timestamps},
         unique nulls not distinct (workspace_id, parent_folder_id, slug),
         ${tenantKey('owner_member_id', 'members')}`,
      ),
      `alter table folders add ${tenantKey('parent_folder_id', 'folders')};
       create index on folders (workspace_id, owner_member_id);`,
      // The bytes of an object that is not stored yet are reserved; its digest may still be unknown.
      tenantTable(
        'stored_objects',
        `${uuid},
         bytes bigint not null check (bytes >= 0),
         sha256 bytea,
         mime_type text not null,
         state text not null default 'pending' check (state in ('pending', 'stored', 'doomed')),
         state_since timestamptz not null default now(),
         created_by_member_id bigint,
         check (state <> 'stored' or sha256 is not null),
         ${tenantKey('created_by_member_id', 'members')}`,
      ),
      `create index stored_objects_to_collect on stored_objects (workspace_id, state, state_since, id)
         where state <> 'stored';
       create index on stored_objects (workspace_id, created_by_member_id, state) include (bytes, state_since);`,
      tenantTable(
        'storage_usage',
        `bytes bigint not null default 0 check (bytes >= 0),
         unique (workspace_id)`,
      ),
      // Title, name, type and size are those of the current version; a file and its first version are inserted together.
      tenantTable(
        'files',
        `${uuid},
         folder_id bigint,
         owner_member_id bigint,
         title text not null,
         description text,
         filename text not null,
         mime_type text not null,
         kind text not null check (kind in ('document', 'image', 'data', 'media', 'other')),
         file_size bigint not null,
         ${access},
         source text not null default 'upload' check (source in ('upload', 'message', 'agent')),
         choice_prompt text,
         external_id text,
         current_version_id bigint not null,
         current_version_number integer not null default 1,
         last_edited_by_member_id bigint,
         ${timestamps},
         ${tenantKey('folder_id', 'folders')},
         ${tenantKey('owner_member_id', 'members')},
         ${tenantKey('last_edited_by_member_id', 'members')}`,
      ),
      tenantTable(
        'file_versions',
        `${uuid},
         file_id bigint not null,
         number integer not null check (number > 0),
         object_id bigint not null,
         filename text not null,
         mime_type text not null,
         kind text not null check (kind in ('document', 'image', 'data', 'media', 'other')),
         file_size bigint not null,
         uploaded_by_member_id bigint,
         created_at timestamptz not null default now(),
         indexing_state text not null default 'pending'
           check (indexing_state in ('pending', 'indexed', 'unsupported', 'failed', 'given_up')),
         indexing_reason text,
         indexing_attempts integer not null default 0,
         indexed_pages integer not null default 0,
         unique (workspace_id, file_id, number),
         ${tenantKey('file_id', 'files', 'on delete cascade')},
         ${tenantKey('object_id', 'stored_objects')},
         ${tenantKey('uploaded_by_member_id', 'members')}`,
      ),
      `alter table files add ${tenantKey('current_version_id', 'file_versions', 'deferrable initially deferred')};
       grant usage on sequence file_versions_id_seq to wes_app;
       create index on file_versions (workspace_id, object_id);
       create index on file_versions (workspace_id, uploaded_by_member_id);
       create index file_versions_to_index on file_versions (workspace_id, id) where indexing_state = 'pending';
       create index on files (workspace_id, current_version_id);
       create unique index files_external_id_key on files (workspace_id, external_id) where external_id is not null;
       create index on files (workspace_id, folder_id, id);
       create index on files (workspace_id, owner_member_id, id);
       create index on files (workspace_id, last_edited_by_member_id);
       create index on files (workspace_id, access, id) where access <> 'private';
       create index on files (workspace_id, kind, id);
       create index on files (workspace_id, title, id);
       create index on files (workspace_id, created_at, id);
       create index on files (workspace_id, updated_at, id);`,
      tenantTable(
        'file_labels',
        `${uuid},
         name text not null,
         slug text not null,
         color text not null,
         description text not null default '',
         ${timestamps},
         unique (workspace_id, slug)`,
      ),
      tenantTable(
        'file_label_links',
        `file_id bigint not null,
         file_label_id bigint not null,
         created_at timestamptz not null default now(),
         unique (workspace_id, file_id, file_label_id),
         ${tenantKey('file_id', 'files', 'on delete cascade')},
         ${tenantKey('file_label_id', 'file_labels', 'on delete cascade')}`,
      ),
      'create index on file_label_links (workspace_id, file_label_id, file_id);',
      tenantTable(
        'file_shares',
        `${uuid},
         file_id bigint,
         folder_id bigint,
         token_hash bytea not null,
         expires_at timestamptz,
         revoked_at timestamptz,
         uses bigint not null default 0,
         last_used_at timestamptz,
         created_by_member_id bigint,
         created_at timestamptz not null default now(),
         check (num_nonnulls(file_id, folder_id) = 1),
         unique (workspace_id, token_hash),
         ${tenantKey('file_id', 'files', 'on delete cascade')},
         ${tenantKey('folder_id', 'folders', 'on delete cascade')},
         ${tenantKey('created_by_member_id', 'members')}`,
      ),
      `create index on file_shares (workspace_id, file_id, id) where file_id is not null;
       create index on file_shares (workspace_id, folder_id, id) where folder_id is not null;
       create index on file_shares (workspace_id, created_by_member_id);`,
      // What a file is attached to; member_id is the member who may read it for that reason.
      tenantTable(
        'file_attachments',
        `file_id bigint not null,
         member_id bigint,
         chat_id bigint,
         assignment_id bigint,
         message_id bigint,
         record_id bigint,
         attached_by_member_id bigint,
         created_at timestamptz not null default now(),
         check (num_nonnulls(chat_id, assignment_id, message_id, record_id) > 0),
         ${tenantKey('file_id', 'files', 'on delete cascade')},
         ${tenantKey('member_id', 'members')},
         ${tenantKey('chat_id', 'chats', 'on delete cascade')},
         ${tenantKey('assignment_id', 'assignments', 'on delete cascade')},
         ${tenantKey('message_id', 'messages', 'on delete cascade')},
         ${tenantKey('record_id', 'data_records', 'on delete cascade')},
         ${tenantKey('attached_by_member_id', 'members')}`,
      ),
      `create index on file_attachments (workspace_id, file_id);
       create index on file_attachments (workspace_id, member_id, file_id) where member_id is not null;
       create index on file_attachments (workspace_id, chat_id) where chat_id is not null;
       create index on file_attachments (workspace_id, assignment_id) where assignment_id is not null;
       create index on file_attachments (workspace_id, message_id) where message_id is not null;
       create index on file_attachments (workspace_id, record_id) where record_id is not null;
       create index on file_attachments (workspace_id, attached_by_member_id) where attached_by_member_id is not null;`,
      // Versions that were restored share an object. Whoever deletes versions locks their file first.
      `create function doom_objects() returns trigger language plpgsql as $$
       begin
         update stored_objects object set state = 'doomed', state_since = clock_timestamp()
         from gone
         where object.workspace_id = gone.workspace_id and object.id = gone.object_id and object.state <> 'doomed'
           and not exists (select from file_versions kept
             where kept.workspace_id = gone.workspace_id and kept.object_id = gone.object_id);
         return null;
       end $$;
       create trigger doom after delete on file_versions referencing old table as gone
         for each statement execute function doom_objects();`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table files drop constraint files_workspace_id_current_version_id_fkey;
    drop table file_attachments, file_shares, file_label_links, file_labels, file_versions, files, storage_usage,
      stored_objects, folders;
    drop function doom_objects;
  `);
}
