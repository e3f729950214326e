import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * A workflow definition can be held (docs/decisions/0095-a-held-workflow-rests-and-is-woken.md). An assignment whose
 * run has met the hold has a row until the run is poked after the resumption, so that only such runs are poked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table workflow_definitions add column held_at timestamptz, add column held_reason text;
    ${tenantTable(
      'held_assignments',
      `definition_id bigint not null,
       assignment_id bigint not null,
       unique (workspace_id, assignment_id),
       ${tenantKey('definition_id', 'workflow_definitions')},
       ${tenantKey('assignment_id', 'assignments', 'on delete cascade')}`,
    )}
    create index held_assignments_of_definition on held_assignments (workspace_id, definition_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table held_assignments;
    alter table workflow_definitions drop column held_at, drop column held_reason;
  `);
}
