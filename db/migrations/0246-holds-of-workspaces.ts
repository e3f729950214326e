import type { Knex } from 'knex';
import { workspacesWith } from './0219-workspaces-with-work.js';
import { listsWithLabelChanges } from './0244-label-changes.js';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * Holds of a whole workspace (docs/decisions/0252-a-held-workspace-rests-by-the-same-mechanism.md): the open one has no
 * `ended_at`. One that has ended has no `woken_at` until what rested is woken, list by list. They are kept: what has rested
 * is older by that time without being late.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${tenantTable(
      'workspace_holds',
      `held_at timestamptz not null,
       until timestamptz,
       reason text,
       held_by_member_id bigint not null,
       ended_at timestamptz,
       ended_by_member_id bigint,
       woken_list text,
       woken_after bigint,
       woken_at timestamptz,
       ${tenantKey('held_by_member_id', 'members')},
       ${tenantKey('ended_by_member_id', 'members')}`,
      'select, insert, update',
    )}
    create unique index workspace_holds_open on workspace_holds (workspace_id) where ended_at is null;
    create index workspace_holds_unwoken on workspace_holds (workspace_id, id) where woken_at is null;
    create index workspace_holds_ended on workspace_holds (workspace_id, ended_at);
    create index workspace_holds_held_by on workspace_holds (workspace_id, held_by_member_id);
    create index workspace_holds_ended_by on workspace_holds (workspace_id, ended_by_member_id);
    ${workspacesWith({ ...listsWithLabelChanges, workspace_holds: 'workspace_holds where woken_at is null' })}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${workspacesWith(listsWithLabelChanges)}
    drop table workspace_holds;
  `);
}
