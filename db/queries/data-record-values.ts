import type { SearchableValue } from '../../domain/field-values.js';
import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** A searchable value of a record. */
export interface RecordValue extends SearchableValue {
  recordId: number;
  retired: boolean;
}

/** A value that a record may not have, as another has it. */
export interface TakenValue {
  recordId: number;
  /** The field's slug. */
  field: string;
}

/** The values as rows. Columns of a table compare in collation C; those of a function have to be told to. */
const given = `given as (
  select record_id, retired, field collate "C" as field, text_value collate "C" as text_value, number_value, is_unique
  from unnest(?::bigint[], ?::boolean[], ?::text[], ?::text[], ?::float8[], ?::boolean[])
    as given(record_id, retired, field, text_value, number_value, is_unique))`;

const isSame = `stored.record_id = given.record_id and stored.field = given.field
  and stored.retired = given.retired and stored.is_unique = given.is_unique
  and stored.text_value is not distinct from given.text_value
  and stored.number_value is not distinct from given.number_value`;

/**
 * Makes these the values of these records, all of one type: what has changed is written. One message, whatever the
 * number.
 *
 * @param recordIds those that may have values already
 * @returns the values that were not stored, as another record has them
 */
export async function replaceRecordValues(
  tx: Tx,
  dataTypeId: number,
  recordIds: readonly number[],
  values: readonly RecordValue[],
): Promise<TakenValue[]> {
  const [, taken] = await Promise.all([
    recordIds.length > 0 &&
      prepared(
        tx,
        `with ${given} delete from data_record_values stored where stored.record_id = any(?::bigint[])
         and not exists (select 1 from given where ${isSame})`,
        [...columnsOf(values), recordIds],
      ),
    addRecordValues(tx, dataTypeId, values),
  ]);
  return taken;
}

/**
 * Adds values that are not there yet, in one order everywhere, so that writers of the same unique values wait for each
 * other instead of for ever.
 *
 * @returns those that were not stored, as another record has them
 */
export async function addRecordValues(
  tx: Tx,
  dataTypeId: number,
  values: readonly RecordValue[],
): Promise<TakenValue[]> {
  if (values.length === 0) return [];
  const unique = values.filter(({ isUnique }) => isUnique);
  const [, taken] = await Promise.all([
    prepared(
      tx,
      `with ${given} insert into data_record_values
         (workspace_id, data_type_id, record_id, retired, field, text_value, number_value, is_unique)
       select ?::bigint, ?::bigint, record_id, retired, field, text_value, number_value, is_unique from given
       where not exists (select 1 from data_record_values stored where ${isSame})
       order by field, text_value, number_value, record_id
       on conflict do nothing`,
      [...columnsOf(values), tx.workspaceId, dataTypeId],
    ),
    unique.length === 0 ? [] : findTaken(tx, unique),
  ]);
  return taken;
}

/** Which of these values are not stored. */
async function findTaken(tx: Tx, values: readonly RecordValue[]): Promise<TakenValue[]> {
  return prepared(
    tx,
    `with ${given} select record_id as "recordId", field from given
     where not exists (select 1 from data_record_values stored where ${isSame}) order by record_id, field`,
    columnsOf(values),
  );
}

/** Removes what the type's records are found by under these fields. */
export async function deleteValuesOfFields(
  tx: Tx,
  dataTypeId: number,
  fields: readonly string[],
): Promise<void> {
  await prepared(tx, 'delete from data_record_values where data_type_id = ? and field = any(?::text[])', [
    dataTypeId,
    fields,
  ]);
}

function columnsOf(values: readonly RecordValue[]): unknown[] {
  return [
    values.map(({ recordId }) => recordId),
    values.map(({ retired }) => retired),
    values.map(({ field }) => field),
    values.map(({ text }) => text),
    values.map(({ number }) => number),
    values.map(({ isUnique }) => isUnique),
  ];
}
