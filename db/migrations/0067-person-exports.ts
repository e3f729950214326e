import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

const permissions = ['person_data:export'];

/**
 * Archives of what is stored about a person (docs/decisions/0115-archives-of-a-persons-data.md), and objects that
 * expire.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      `alter table stored_objects add column expires_at timestamptz;
       create index stored_objects_to_expire on stored_objects (workspace_id, expires_at, id)
         where expires_at is not null and state = 'stored';`,
      tenantTable(
        'person_exports',
        `${uuid},
         member_id bigint not null,
         requested_by_member_id bigint not null,
         includes_internal boolean not null,
         kept_days integer not null check (kept_days > 0),
         attempts integer not null default 0,
         object_id bigint,
         row_count bigint not null default 0,
         file_count bigint not null default 0,
         left_out_count bigint not null default 0,
         created_at timestamptz not null default now(),
         finished_at timestamptz,
         expires_at timestamptz,
         failure_reason text,
         ${tenantKey('member_id', 'members')},
         ${tenantKey('requested_by_member_id', 'members')},
         ${tenantKey('object_id', 'stored_objects', 'on delete set null (object_id)')}`,
      ),
      `create unique index person_exports_once on person_exports (workspace_id, member_id, includes_internal)
         where finished_at is null;
       create index person_exports_open on person_exports (workspace_id, id) where finished_at is null;
       create index on person_exports (workspace_id, member_id, id);
       create index on person_exports (workspace_id, requested_by_member_id);
       create index on person_exports (workspace_id, object_id) where object_id is not null;`,
      // An object that an archive was in, and is in no more, has no other use.
      `create function doom_archive() returns trigger language plpgsql as $$
       begin
         update stored_objects set state = 'doomed', state_since = clock_timestamp()
         where workspace_id = old.workspace_id and id = old.object_id and state <> 'doomed';
         return null;
       end $$;
       create trigger doom after update of object_id on person_exports for each row
         when (old.object_id is not null and old.object_id is distinct from new.object_id)
         execute function doom_archive();
       create trigger doom_deleted after delete on person_exports for each row
         when (old.object_id is not null) execute function doom_archive();`,
    ].join('\n'),
  );
  await knex.raw(
    `update member_roles set permissions = permissions || ?::text[]
     where permissions @> array['person_data:erase'] and not permissions && ?::text[]`,
    [permissions, permissions],
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const permission of permissions) {
    await knex.raw('update member_roles set permissions = array_remove(permissions, ?)', [permission]);
  }
  await knex.raw(`
    update stored_objects set state = 'doomed', state_since = now()
      where id in (select object_id from person_exports where object_id is not null) and state <> 'doomed';
    drop table person_exports;
    drop function doom_archive;
    alter table stored_objects drop column expires_at;
  `);
}
