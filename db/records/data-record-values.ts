import type { SearchableValue } from '../../domain/records/field-values.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { DataRecordValueModel } from './models/data-record-value.js';

export interface RecordValue extends SearchableValue {
  recordId: number;
  retired: boolean;
}

/** A unique value, by its field's slug, that a record cannot have because another record has it. */
export type TakenValue = Pick<RecordValue, 'recordId' | 'field'>;

/** The given values as rows. The table's columns compare in collation C; those of a function need it explicitly. */
const given = `given as (
  select record_id, retired, field collate "C" as field, text_value collate "C" as text_value, number_value, is_unique
  from unnest(?::bigint[], ?::boolean[], ?::text[], ?::text[], ?::float8[], ?::boolean[])
    as given(record_id, retired, field, text_value, number_value, is_unique))`;

const isSame = `stored.record_id = given.record_id and stored.field = given.field
  and stored.retired = given.retired and stored.is_unique = given.is_unique
  and stored.text_value is not distinct from given.text_value
  and stored.number_value is not distinct from given.number_value`;

/**
 * Replaces the values of records of one type, writing only what has changed, in one message.
 * @param recordIds the records that may have values already
 * @returns the values that were not stored, because another record has them
 */
export async function replaceRecordValues(
  tx: Tx,
  dataTypeId: number,
  recordIds: readonly number[],
  values: readonly RecordValue[],
): Promise<TakenValue[]> {
  const known = new Set(recordIds);
  const ofKnown = values.filter(({ recordId }) => known.has(recordId));
  const ofNew = values.filter(({ recordId }) => !known.has(recordId));
  const [, , , taken] = await Promise.all([
    recordIds.length > 0 &&
      prepared(
        tx,
        `with ${given} delete from data_record_values stored where stored.record_id = any(?::bigint[])
         and not exists (select 1 from given where ${isSame})`,
        [...columnsOf(ofKnown), recordIds],
      ),
    insertMissing(tx, dataTypeId, ofKnown),
    insertValues(tx, dataTypeId, ofNew),
    findTaken(tx, values),
  ]);
  return taken;
}

/** Adds values that do not exist yet; returns those that another record has. */
export async function addRecordValues(
  tx: Tx,
  dataTypeId: number,
  values: readonly RecordValue[],
): Promise<TakenValue[]> {
  const [, taken] = await Promise.all([insertMissing(tx, dataTypeId, values), findTaken(tx, values)]);
  return taken;
}

/* Values are inserted in the same order everywhere, so that writers of the same unique values cannot deadlock. */
const insert = `insert into data_record_values
  (workspace_id, data_type_id, record_id, retired, field, text_value, number_value, is_unique)
  select ?::bigint, ?::bigint, record_id, retired, field, text_value, number_value, is_unique`;
const inOrder = 'order by field collate "C", text_value collate "C", number_value, record_id';

/** For records that may have values already. */
async function insertMissing(tx: Tx, dataTypeId: number, values: readonly RecordValue[]): Promise<void> {
  if (values.length === 0) return;
  await prepared(
    tx,
    `with ${given} ${insert} from given
     where not exists (select 1 from data_record_values stored where ${isSame}) ${inOrder}
     on conflict do nothing`,
    [...columnsOf(values), tx.workspaceId, dataTypeId],
  );
}

/** For records that have no values yet. */
async function insertValues(tx: Tx, dataTypeId: number, values: readonly RecordValue[]): Promise<void> {
  if (values.length === 0) return;
  await prepared(
    tx,
    `${insert} from unnest(?::bigint[], ?::boolean[], ?::text[], ?::text[], ?::float8[], ?::boolean[])
       as given(record_id, retired, field, text_value, number_value, is_unique) ${inOrder}
     on conflict do nothing`,
    [tx.workspaceId, dataTypeId, ...columnsOf(values)],
  );
}

/** Returns those of the unique values that are not stored. */
async function findTaken(tx: Tx, values: readonly RecordValue[]): Promise<TakenValue[]> {
  const unique = values.filter(({ isUnique }) => isUnique);
  if (unique.length === 0) return [];
  return prepared(
    tx,
    `with ${given} select record_id as "recordId", field from given
     where not exists (select 1 from data_record_values stored where ${isSame}) order by record_id, field`,
    columnsOf(unique),
  );
}

export async function removeValuesOfFields(
  tx: Tx,
  dataTypeId: number,
  fields: readonly string[],
): Promise<void> {
  const ofFields = 'data_type_id = ? and field = any(?::text[])';
  await DataRecordValueModel.deleteWhere(tx, ofFields, [dataTypeId, fields]);
}

function columnsOf(values: readonly RecordValue[]): unknown[] {
  const columns = ['recordId', 'retired', 'field', 'text', 'number', 'isUnique'] as const;
  return columns.map((column) => values.map((value) => value[column]));
}
