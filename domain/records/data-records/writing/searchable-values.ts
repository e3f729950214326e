import {
  addRecordValues,
  type RecordValue,
  removeValuesOfFields,
  replaceRecordValues,
  type TakenValue,
} from '../../../../db/records/data-record-values.js';
import { type DataRecordRow, eachDataRecordBatch } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { Tx } from '../../../../db/tx.js';
import { type FieldDefinition, indexRulesOf, searchableValues, wordsField } from '../../field-values.js';

type Fields = Pick<DataTypeRow, 'fields'>;
type Searched = Pick<DataRecordRow, 'id' | 'fieldValues' | 'retiredAt'>;

/** Records that are rebuilt at once: few, because each may have a thousand words. */
const batchSize = 200;

/**
 * Stores the searchable values of records of a pinned type in the transaction that writes them, in one message.
 * @param added ids of the new records, which have no stored values yet
 * @returns the unique values that were not stored, because others have them: the caller has to roll these records back
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

export function valuesOf({ fields }: Fields, record: Searched): RecordValue[] {
  const place = { recordId: record.id, retired: record.retiredAt !== null };
  return searchableValues(fields, record.fieldValues).map((value) => ({ ...value, ...place }));
}

/**
 * Rebuilds the searchable values of the fields that changed, in the transaction that has locked and changes the type.
 * @returns how many records share a value that is now to be unique; if there are any, the caller has to roll back
 */
export async function rebuildSearchableValues(
  tx: Tx,
  type: DataTypeRow,
  fields: FieldDefinition[],
): Promise<number> {
  const changed = changedFields(type.fields, fields);
  if (changed.size === 0) return 0;
  await removeValuesOfFields(tx, type.id, [...changed]);
  // Without an indexed field there are no values to add.
  if (fields.every((field) => indexRulesOf(field) === undefined)) return 0;
  let taken = 0;
  for await (const batch of eachDataRecordBatch(tx, type.id, batchSize)) {
    const values = batch
      .flatMap((record) => valuesOf({ fields }, record))
      .filter(({ field }) => changed.has(field));
    const refused = await addRecordValues(tx, type.id, values);
    taken += new Set(refused.map(({ recordId }) => recordId)).size;
  }
  return taken;
}

/** The slugs whose stored values differ before and after the change. */
function changedFields(before: readonly FieldDefinition[], after: readonly FieldDefinition[]): Set<string> {
  const [old, now] = [storedOf(before), storedOf(after)];
  const slugs = new Set([...old.keys(), ...now.keys()]);
  return new Set([...slugs].filter((slug) => old.get(slug) !== now.get(slug)));
}

/** How each slug is stored, as a text that can be compared. */
function storedOf(fields: readonly FieldDefinition[]): Map<string, string> {
  const stored = new Map<string, string>();
  const searched: string[] = [];
  for (const field of fields) {
    const rules = indexRulesOf(field);
    if (rules === undefined) continue;
    stored.set(field.slug, `${rules.by} ${rules.isMany} ${field.unique === true}`);
    if (rules.isSearched) searched.push(field.slug);
  }
  stored.set(wordsField, searched.sort().join(' '));
  return stored;
}
