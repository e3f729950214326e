import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'data_types',
        `${uuid},
         name text not null,
         slug text not null,
         is_collection boolean not null,
         fields jsonb not null default '[]',
         ${timestamps},
         unique (workspace_id, slug)`,
      ),
      // is_single copies the type's isCollection = false, so that an index can allow one record per member.
      tenantTable(
        'data_records',
        `${uuid},
         data_type_id bigint not null,
         member_id bigint not null,
         is_single boolean not null,
         external_id text,
         field_values jsonb not null default '{}',
         access_mode integer,
         assignment_task_id bigint,
         retired_at timestamptz,
         retired_by_member_id bigint,
         retired_reason text,
         ${timestamps},
         ${tenantKey('data_type_id', 'data_types')},
         ${tenantKey('member_id', 'members')},
         ${tenantKey('retired_by_member_id', 'members')}`,
      ),
      `create unique index data_records_external_id_key on data_records (workspace_id, data_type_id, external_id);
       create unique index data_records_single_key on data_records (workspace_id, data_type_id, member_id)
         where is_single and retired_at is null;
       create index on data_records (workspace_id, data_type_id, member_id);
       create index on data_records (workspace_id, member_id);`,
      tenantTable(
        'data_record_changes',
        `record_id bigint not null,
         operation text not null check (operation in ('created', 'updated', 'retired')),
         before jsonb,
         after jsonb,
         actor_member_id bigint,
         created_at timestamptz not null default now(),
         ${tenantKey('record_id', 'data_records', 'on delete cascade')},
         ${tenantKey('actor_member_id', 'members')}`,
      ),
      `create index on data_record_changes (workspace_id, record_id, id);`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table data_record_changes, data_records, data_types;');
}
