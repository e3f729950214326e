import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/** Imports of members that a run carries out (docs/decisions/0198-durable-imports-of-members.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'member_imports',
        `${uuid},
         member_id bigint not null,
         credential_kind text not null,
         credential_id bigint not null,
         scopes text[],
         object_id bigint,
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
         state text not null default 'running'
           check (state in ('running', 'completed', 'cancelled', 'failed')),
         failure_reason text,
         finished_at timestamptz,
         ${timestamps},
         check ((state = 'running') = (finished_at is null)),
         check ((state = 'failed') = (failure_reason is not null)),
         ${tenantKey('member_id', 'members')},
         ${tenantKey('object_id', 'stored_objects', 'on delete set null (object_id)')}`,
      ),
      `create index member_imports_open on member_imports (workspace_id, id) where finished_at is null;
       create index member_imports_ended on member_imports (workspace_id, finished_at) where finished_at is not null;
       create index on member_imports (workspace_id, member_id);
       create index on member_imports (workspace_id, object_id) where object_id is not null;
       create trigger doom after update of object_id on member_imports for each row
         when (old.object_id is not null and old.object_id is distinct from new.object_id)
         execute function doom_archive();
       create trigger doom_deleted after delete on member_imports for each row
         when (old.object_id is not null) execute function doom_archive();`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update stored_objects set state = 'doomed', state_since = now()
      where id in (select object_id from member_imports where object_id is not null) and state <> 'doomed';
    drop table member_imports;
  `);
}
