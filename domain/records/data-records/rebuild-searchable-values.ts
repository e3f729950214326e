import type { Tx } from '../../../db/database.js';
import { addRecordValues, deleteValuesOfFields } from '../../../db/records/data-record-values.js';
import { eachDataRecordBatch } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import { type FieldDefinition, indexRulesOf, wordsField } from '../field-values.js';
import { valuesOf } from './searchable-values.js';

/** Each may have a thousand words. */
const batchSize = 200;

/**
 * Stores anew what records are found by under the fields that changed, in batches, in the transaction that changes the
 * type. It holds the type, so nobody writes records of it meanwhile.
 *
 * @returns how many records have the same value as another in a field that is unique now; where there are any, the
 *   transaction has to be undone
 */
export async function rebuildSearchableValues(
  tx: Tx,
  type: DataTypeRow,
  fields: FieldDefinition[],
): Promise<number> {
  const changed = changedFields(type.fields, fields);
  if (changed.size === 0) return 0;
  await deleteValuesOfFields(tx, type.id, [...changed]);
  // What is left of them is found by nothing.
  if (fields.every((field) => indexRulesOf(field) === undefined)) return 0;
  let taken = 0;
  for await (const batch of eachDataRecordBatch(tx, type.id, batchSize)) {
    const values = batch.flatMap((record) => valuesOf({ fields }, record));
    const refused = await addRecordValues(
      tx,
      type.id,
      values.filter(({ field }) => changed.has(field)),
    );
    taken += new Set(refused.map(({ recordId }) => recordId)).size;
  }
  return taken;
}

/** Slugs under which something else is stored than before. */
function changedFields(before: readonly FieldDefinition[], after: readonly FieldDefinition[]): Set<string> {
  const [old, now] = [storedOf(before), storedOf(after)];
  const slugs = new Set([...old.keys(), ...now.keys()]);
  return new Set([...slugs].filter((slug) => old.get(slug) !== now.get(slug)));
}

/** What is stored under each slug, by a text that is the same for the same. */
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
