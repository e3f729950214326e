import type { Knex } from 'knex';
import { type FieldDefinition, searchableValues } from '../../domain/records/field-values.js';
import { tenantKey, tenantPolicies } from './tenant-table.js';

/**
 * The values by which data records are found and sorted (docs/decisions/0041, 0046). A value is in one of two columns,
 * in the form in which it is compared; a row with a value in neither says that the record has none. The words of all
 * texts of a record are stored under the field ''. There are many rows, so they have no ids of their own.
 *
 * `is_retired` is a column because of the planner: for a table without statistics it assumes that `retired_at is null`
 * is rare, and prefers an index on that condition to all others.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create table data_record_values (
       workspace_id bigint not null,
       data_type_id bigint not null,
       record_id bigint not null,
       number_value float8,
       retired boolean not null,
       is_unique boolean not null,
       field text collate "C" not null,
       text_value text collate "C",
       ${tenantKey('record_id', 'data_records', 'on delete cascade')}
     );
     ${tenantPolicies('data_record_values', 'select, insert, delete')}`,
  );
  await fill(knex);
  await knex.raw(
    `create index data_record_values_order on data_record_values
       (workspace_id, data_type_id, field, retired, text_value, number_value, record_id);
     create index data_record_values_record on data_record_values (workspace_id, record_id, field);
     create unique index data_record_values_unique_key on data_record_values
       (workspace_id, data_type_id, field, text_value, number_value) nulls not distinct
       where is_unique and not retired and (text_value is not null or number_value is not null);
     alter table data_records add column is_retired boolean not null
       generated always as (retired_at is not null) stored;
     create index data_records_by_id on data_records (workspace_id, data_type_id, is_retired, id);
     create index data_records_by_creation on data_records (workspace_id, data_type_id, is_retired, created_at, id);
     create index data_records_by_update on data_records (workspace_id, data_type_id, is_retired, updated_at, id);
     create index data_records_shared on data_records (workspace_id, data_type_id, is_retired, id)
       where access_mode = 3;`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `drop table data_record_values;
     drop index data_records_by_id, data_records_by_creation, data_records_by_update, data_records_shared;
     alter table data_records drop column is_retired;`,
  );
}

const batchSize = 1_000;

interface ExistingRecord {
  id: number;
  workspaceId: number;
  dataTypeId: number;
  retired: boolean;
  fields: FieldDefinition[];
  fieldValues: Record<string, unknown>;
}

/**
 * Inserts the values of existing records, in the form of the migrating release, because that is the one that will query
 * them.
 */
async function fill(knex: Knex): Promise<void> {
  for (let after = 0; ; ) {
    const batch: ExistingRecord[] = await knex('data_records')
      .join('data_types', 'data_types.id', 'data_records.data_type_id')
      .where('data_records.id', '>', after)
      .orderBy('data_records.id')
      .limit(batchSize)
      .select({
        id: 'data_records.id',
        workspaceId: 'data_records.workspace_id',
        dataTypeId: 'data_records.data_type_id',
        retired: knex.raw('retired_at is not null'),
        fields: 'data_types.fields',
        fieldValues: 'data_records.field_values',
      });
    const last = batch.at(-1);
    if (last === undefined) return;
    const rows = batch.flatMap((record) =>
      searchableValues(record.fields, record.fieldValues).map(({ field, text, number }) => ({
        workspace_id: record.workspaceId,
        data_type_id: record.dataTypeId,
        record_id: record.id,
        number_value: number,
        retired: record.retired,
        is_unique: false,
        field,
        text_value: text,
      })),
    );
    await knex.batchInsert('data_record_values', rows, batchSize);
    after = last.id;
  }
}
