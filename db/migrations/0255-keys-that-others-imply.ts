import type { Knex } from 'knex';
import { givingWay } from './while-in-use.js';

/** Each constraint by itself, so that no table is locked while others are waited for. Each can be repeated. */
export const config = { transaction: false };

/**
 * Each row of these has a key of its workspace to another row, whose own key leads to the workspace: the check of a second
 * one locked the workspace's row for each row that was written. A trigger writes the journal of stored bytes, from such rows.
 */
const keys = {
  data_records: 'data_records_workspace_id_fkey',
  data_record_changes: 'data_record_changes_workspace_id_fkey',
  stored_bytes: 'stored_bytes_workspace_id_fkey',
  chat_participants: 'chat_participants_workspace_id_fkey',
  assignments: 'assignments_workspace_id_fkey',
  assignment_tasks: 'assignment_tasks_workspace_id_fkey',
  assignment_timeline_entries: 'assignment_task_visits_workspace_id_fkey',
};

/** No table refers to these by workspace and id. */
const pairs = {
  data_record_changes: 'data_record_changes_workspace_id_id_key',
  chat_participants: 'chat_participants_workspace_id_id_key',
  assignment_timeline_entries: 'assignment_task_visits_workspace_id_id_key',
  outbox: 'outbox_workspace_id_id_key',
};

export async function up(knex: Knex): Promise<void> {
  for (const [table, name] of [...Object.entries(keys), ...Object.entries(pairs)]) {
    await givingWay(knex, `alter table ${table} drop constraint if exists ${name}`);
  }
  // The journal is read and summed up by workspace alone.
  await knex.raw(`
    alter table stored_bytes drop constraint stored_bytes_pkey, add primary key (workspace_id, id);
    drop index if exists stored_bytes_workspace_id_id_idx`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table stored_bytes drop constraint stored_bytes_pkey, add primary key (id);
    create index if not exists stored_bytes_workspace_id_id_idx on stored_bytes (workspace_id, id)`);
  for (const [table, name] of Object.entries(pairs)) {
    await knex.raw(`
      alter table ${table} drop constraint if exists ${name};
      alter table ${table} add constraint ${name} unique (workspace_id, id)`);
  }
  for (const [table, name] of Object.entries(keys)) {
    await givingWay(
      knex,
      `alter table ${table} drop constraint if exists ${name};
       alter table ${table} add constraint ${name} foreign key (workspace_id) references identity.workspaces (id)`,
    );
  }
}
