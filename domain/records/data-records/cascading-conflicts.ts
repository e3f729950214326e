import type { DataTypeRow } from '../../../db/records/data-types.js';
import { type FieldValues, searchableValues } from '../field-values.js';
import type { RecordWrite } from './plan-writes.js';
import type { RecordToSave } from './write-options.js';

type Fields = Pick<DataTypeRow, 'fields'>;

/**
 * Items that cannot be written once others are left out: a value that is to be unique stays with a record that was to
 * give it up. All of them at once, where each would else be found by writing the batch once more: a thousand records
 * may each have wanted the value of the one before.
 *
 * @param refused whether an item is left out; asked again for those that were told
 * @param tell of an item that has to be left out as well, and the field it is about
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
        // It keeps what it has, too.
        if (bringing.length > 0) queue.push(other);
      }
    }
  }
}

/** What a record holds in the end when what is refused is left out. */
function valuesWithout({ steps }: RecordWrite, refused: (item: RecordToSave) => boolean): FieldValues {
  const values: FieldValues = { ...steps[0]?.before };
  for (const { item, record } of steps) {
    if (refused(item)) continue;
    for (const slug of Object.keys(item.fieldValues)) values[slug] = record.fieldValues[slug];
  }
  return values;
}

/** The values that nobody else may have, in the form in which they are compared, each with its field. */
function uniqueKeys({ fields }: Fields, values: FieldValues): [key: string, field: string][] {
  const unique = fields.filter((field) => field.unique === true);
  return searchableValues(unique, values)
    .filter(({ isUnique, text, number }) => isUnique && (text ?? number) !== null)
    .map(({ field, text, number }) => [`${field} ${text ?? number}`, field]);
}
