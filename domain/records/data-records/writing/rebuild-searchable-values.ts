import type { Tx } from '../../../../db/database.js';
import { addRecordValues, deleteValuesOfFields } from '../../../../db/records/data-record-values.js';
import { eachDataRecordBatch } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { type FieldDefinition, indexRulesOf, wordsField } from '../../field-values.js';
import { valuesOf } from './searchable-values.js';

/** Small batches, because each record may have a thousand words. */
const batchSize = 200;

/**
 * Rebuilds the searchable values of the fields that changed, in batches, in the transaction that changes the type. The
 * transaction has locked the type, so no records of it are written meanwhile.
 *
 * @returns how many records share a value with another record in a field that is now unique; if there are any, the
 *   caller has to roll back
 */
export async function rebuildSearchableValues(
  tx: Tx,
  type: DataTypeRow,
  fields: FieldDefinition[],
): Promise<number> {
  const changed = changedFields(type.fields, fields);
  if (changed.size === 0) return 0;
  await deleteValuesOfFields(tx, type.id, [...changed]);
  // Without an indexed field there are no values to add.
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
