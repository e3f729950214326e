import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

/** Recordings of calls, as segments in the storage (docs/decisions/0152-recordings-are-segments.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      `alter table identity.workspaces
         add column record_calls boolean not null default true,
         add column recording_retention_days integer check (recording_retention_days between 7 and 3650);`,
      tenantTable(
        'call_recordings',
        `${uuid},
         call_id bigint not null,
         begins_at timestamptz not null,
         unique (workspace_id, call_id),
         ${tenantKey('call_id', 'phone_calls', 'on delete cascade')}`,
      ),
      tenantTable(
        'call_recording_segments',
        `recording_id bigint not null,
         attempt integer not null,
         number integer not null,
         start_frame bigint not null check (start_frame >= 0),
         frames integer not null check (frames > 0),
         object_id bigint not null,
         unique (workspace_id, recording_id, attempt, number),
         ${tenantKey('recording_id', 'call_recordings', 'on delete cascade')},
         ${tenantKey('object_id', 'stored_objects')}`,
      ),
      `create index on call_recordings (workspace_id, begins_at, id);
       create index on call_recording_segments (workspace_id, object_id);
       create trigger doom_deleted after delete on call_recording_segments for each row
         execute function doom_archive();`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update stored_objects set state = 'doomed', state_since = now()
      where id in (select object_id from call_recording_segments) and state <> 'doomed';
    drop table call_recording_segments, call_recordings;
    alter table identity.workspaces drop column record_calls, drop column recording_retention_days;
  `);
}
