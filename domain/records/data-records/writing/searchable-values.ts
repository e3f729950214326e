import type { Tx } from '../../../../db/database.js';
import {
  type RecordValue,
  replaceRecordValues,
  type TakenValue,
} from '../../../../db/records/data-record-values.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { indexRulesOf, searchableValues } from '../../field-values.js';

export type { TakenValue } from '../../../../db/records/data-record-values.js';

type Searched = Pick<DataRecordRow, 'id' | 'fieldValues' | 'retiredAt'>;

/**
 * Stores the searchable values of records in the transaction that created, changed, retired or restored them, for any
 * number of records in one message. The caller has pinned the type, so that its fields do not change.
 *
 * @param added ids of the new records, which have no stored values yet
 * @returns values of `unique` fields that other records already have. They were not stored: the caller has to roll back
 *   the writes of these records
 */
export async function saveSearchableValues(
  tx: Tx,
  type: DataTypeRow,
  records: readonly Searched[],
  added: ReadonlySet<number> = new Set(),
): Promise<TakenValue[]> {
  if (type.fields.every((field) => indexRulesOf(field) === undefined)) return [];
  const values = records.flatMap((record) => valuesOf(type, record));
  const known = records.filter(({ id }) => !added.has(id)).map(({ id }) => id);
  return replaceRecordValues(tx, type.id, known, values);
}

/** The searchable values of a record, as rows. */
export function valuesOf(type: Pick<DataTypeRow, 'fields'>, record: Searched): RecordValue[] {
  const place = { recordId: record.id, retired: record.retiredAt !== null };
  return searchableValues(type.fields, record.fieldValues).map((value) => ({ ...value, ...place }));
}
