import type { Knex } from 'knex';
import { tenantPolicies } from './tenant-table.js';

/**
 * The size in bytes of the values of a row, for lists and reads that are limited in bytes
 * (docs/decisions/0064-reads-are-bounded-in-bytes.md), because the stored size of a jsonb value is the compressed one.
 * Also the bytes of records that a workspace stores, as a journal: one counter per workspace would make its writers
 * wait for each other.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table data_records add column value_bytes int not null
      generated always as (octet_length(field_values::text)) stored;
    alter table data_record_changes add column value_bytes int not null
      generated always as (coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)) stored;
    alter table messages add column value_bytes int not null
      generated always as (coalesce(octet_length(content::text), 0) + coalesce(octet_length(original_content::text), 0)
        + octet_length(tool_calls::text)) stored;

    drop index data_records_workspace_id_data_type_id_member_id_idx;
    create index data_records_of_member on data_records (workspace_id, data_type_id, member_id, is_retired, id);
    create index data_records_of_task on data_records (workspace_id, assignment_task_id)
      where assignment_task_id is not null;

    create table stored_bytes (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references identity.workspaces (id),
      bytes bigint not null
    );
    create index on stored_bytes (workspace_id, id);
    ${tenantPolicies('stored_bytes')}
    insert into stored_bytes (workspace_id, bytes)
      select workspace_id, sum(value_bytes) from data_record_changes group by workspace_id;

    create function note_stored_bytes() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into stored_bytes (workspace_id, bytes)
            select workspace_id, sum(value_bytes) from changed group by workspace_id;
        else
          insert into stored_bytes (workspace_id, bytes)
            select workspace_id, -sum(value_bytes) from changed group by workspace_id;
        end if;
        return null;
      end $$;
    create trigger note_added_bytes after insert on data_record_changes
      referencing new table as changed for each statement execute function note_stored_bytes();
    create trigger note_removed_bytes after delete on data_record_changes
      referencing old table as changed for each statement execute function note_stored_bytes();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger note_added_bytes on data_record_changes;
    drop trigger note_removed_bytes on data_record_changes;
    drop function note_stored_bytes();
    drop table stored_bytes;
    drop index data_records_of_member, data_records_of_task;
    create index on data_records (workspace_id, data_type_id, member_id);
    alter table data_records drop column value_bytes;
    alter table data_record_changes drop column value_bytes;
    alter table messages drop column value_bytes;
  `);
}
