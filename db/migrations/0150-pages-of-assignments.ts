import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/** Pages of sites that are attached to assignments (docs/decisions/0191-pages-of-assignments.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'assignment_pages',
        `assignment_id bigint not null,
         page_id bigint not null,
         attached_by_member_id bigint not null,
         created_at timestamptz not null default now(),
         unique (workspace_id, assignment_id, page_id),
         ${tenantKey('assignment_id', 'assignments', 'on delete cascade')},
         ${tenantKey('page_id', 'site_pages', 'on delete cascade')},
         ${tenantKey('attached_by_member_id', 'members')}`,
        'select, insert, delete',
      ),
      `create index on assignment_pages (workspace_id, page_id);
       create index on assignment_pages (workspace_id, attached_by_member_id);`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table assignment_pages;');
}
