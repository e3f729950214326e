import type { Knex } from 'knex';

/**
 * Writing records needs ids beforehand, so that a record and all rows that refer to it are sent in one message; an
 * access mode that is never null; and a way to delete stored answers that contain a deleted record.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `grant usage on sequence data_records_id_seq to wes_app;
     update data_records set access_mode = 0 where access_mode is null;
     alter table data_records
       alter column access_mode set default 0,
       alter column access_mode set not null,
       add constraint data_records_access_mode_check check (access_mode between 0 and 3);
     alter table data_record_changes drop constraint data_record_changes_operation_check;
     alter table data_record_changes add constraint data_record_changes_operation_check
       check (operation in ('created', 'updated', 'retired', 'restored'));
     create index idempotency_keys_resource_idx on idempotency_keys (workspace_id, resource_id)
       where resource_id is not null;
     grant update (answer) on idempotency_keys to wes_app;`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `revoke update (answer) on idempotency_keys from wes_app;
     drop index idempotency_keys_resource_idx;
     delete from data_record_changes where operation = 'restored';
     alter table data_record_changes drop constraint data_record_changes_operation_check;
     alter table data_record_changes add constraint data_record_changes_operation_check
       check (operation in ('created', 'updated', 'retired'));
     alter table data_records
       drop constraint data_records_access_mode_check,
       alter column access_mode drop not null,
       alter column access_mode drop default;
     revoke usage on sequence data_records_id_seq from wes_app;`,
  );
}
