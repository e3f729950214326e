import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { type FieldValues, searchableValues } from '../../field-values.js';
import type { RecordWrite } from './batch-plan.js';
import type { RecordToSave } from './write-options.js';

type Fields = Pick<DataTypeRow, 'fields'>;

/**
 * Refuses the items that can no longer be written once other items are refused, because a record keeps the unique value
 * that it was to give up. All of them are found in one pass: otherwise each would cost another write of the whole
 * batch, and in a batch of a thousand each record may want the value of the one before.
 *
 * @param refused whether an item is refused; also true for an item that was passed to `tell`
 * @param tell called with each further item that has to be refused, and the slug of the conflicting field
 */
export function refuseCascadingConflicts(
  type: Fields,
  writes: readonly RecordWrite[],
  refused: (item: RecordToSave) => boolean,
  tell: (item: RecordToSave, field: string) => void,
): void {
  const wanting = new Map<string, RecordWrite[]>();
  for (const write of writes) {
    for (const [key] of uniqueKeys(type, write.record.fieldValues)) {
      wanting.set(key, [...(wanting.get(key) ?? []), write]);
    }
  }
  const queue = writes.filter(({ steps }) => steps.some(({ item }) => refused(item)));
  for (const write of queue) {
    for (const [key, field] of uniqueKeys(type, valuesWithout(write, refused))) {
      for (const other of wanting.get(key) ?? []) {
        if (other === write) continue;
        const bringing = other.steps.filter(
          ({ item }) => Object.hasOwn(item.fieldValues, field) && !refused(item),
        );
        for (const { item } of bringing) tell(item, field);
        // This record keeps its values as well, and may block others.
        if (bringing.length > 0) queue.push(other);
      }
    }
  }
}

/** The values that a record ends up with when the refused items are left out. */
function valuesWithout({ steps }: RecordWrite, refused: (item: RecordToSave) => boolean): FieldValues {
  const values: FieldValues = { ...steps[0]?.before?.fieldValues };
  for (const { item, after } of steps) {
    if (refused(item)) continue;
    for (const slug of Object.keys(item.fieldValues)) values[slug] = after.fieldValues[slug];
  }
  return values;
}

/** A record's values that have to be unique, as comparison keys, each with its field. */
function uniqueKeys({ fields }: Fields, values: FieldValues): [key: string, field: string][] {
  const unique = fields.filter((field) => field.unique === true);
  return searchableValues(unique, values)
    .filter(({ isUnique, text, number }) => isUnique && (text ?? number) !== null)
    .map(({ field, text, number }) => [`${field} ${text ?? number}`, field]);
}
