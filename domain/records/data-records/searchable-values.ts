import type { Tx } from '../../../db/database.js';
import {
  type RecordValue,
  replaceRecordValues,
  type TakenValue,
} from '../../../db/records/data-record-values.js';
import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import { indexRulesOf, searchableValues } from '../field-values.js';

export type { TakenValue } from '../../../db/records/data-record-values.js';

type Searched = Pick<DataRecordRow, 'id' | 'fieldValues' | 'retiredAt'>;

/**
 * Stores what lists find these records by, in the transaction that wrote them: for new ones, changed ones, retired and
 * restored ones alike, and for any number of them in one message. The type is pinned, so that its fields stay.
 *
 * @param added which of them are new: nothing is stored for them yet
 * @returns values of `unique` fields that other records have. Nothing was stored for them: the transaction has to take
 *   these records back
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

/** A record's values as they are stored. */
export function valuesOf(type: Pick<DataTypeRow, 'fields'>, record: Searched): RecordValue[] {
  const place = { recordId: record.id, retired: record.retiredAt !== null };
  return searchableValues(type.fields, record.fieldValues).map((value) => ({ ...value, ...place }));
}
