import type { TakenValue } from '../../../../db/records/data-record-values.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { InvalidInput } from '../../../lib/errors.js';
import { escapePointer } from '../../../lib/json-schema.js';
import { type FieldValues, searchableValues } from '../../field-values.js';
import type { RecordWrite } from './batch-plan.js';
import type { RecordToSave } from './write-options.js';

type Fields = Pick<DataTypeRow, 'fields'>;

/** Other records have values that must be unique. The caller has to roll back and repeat without these items. */
export class UniqueValueConflict extends Error {
  constructor(readonly items: ReadonlyMap<RecordToSave, InvalidInput>) {
    super('values that are to be unique are taken');
  }
}

/** The error for values that another record already has: 400 at each `/fieldValues/<slug>`, code `duplicate`. */
export function duplicate({ fields }: Fields, slugs: readonly string[]): InvalidInput {
  const names = new Map(fields.map(({ slug, name }) => [slug, name]));
  const errors = slugs.map((slug) => ({
    pointer: `/fieldValues/${escapePointer(slug)}`,
    message: `${names.get(slug) ?? slug} is another record's already`,
  }));
  return InvalidInput.fields(errors, 'duplicate');
}

/** The error for an item whose record has taken values: at the fields that the item brought, if there are any. */
export function takenValues(
  type: Fields,
  { fieldValues }: RecordToSave,
  taken: readonly TakenValue[],
): InvalidInput {
  const fields = taken.map(({ field }) => field);
  const brought = fields.filter((field) => Object.hasOwn(fieldValues, field));
  return duplicate(type, brought.length > 0 ? brought : fields);
}

/** @throws UniqueValueConflict with the items whose values other records have, or keep once these items are left out */
export function refuseConflicts(
  type: Fields,
  writes: readonly RecordWrite[],
  taken: readonly TakenValue[],
): void {
  if (taken.length === 0) return;
  const refused = new Map<RecordToSave, InvalidInput>();
  for (const { record, steps } of writes) {
    const ofRecord = taken.filter(({ recordId }) => recordId === record.id);
    if (ofRecord.length === 0) continue;
    const culprits = steps.filter(({ item }) =>
      ofRecord.some(({ field }) => Object.hasOwn(item.fieldValues, field)),
    );
    // If no item brought the value, the record had it before, such as a retired one that is restored: all are refused.
    for (const { item } of culprits.length > 0 ? culprits : steps) {
      refused.set(item, takenValues(type, item, ofRecord));
    }
  }
  refuseCascadingConflicts(type, writes, refused);
  throw new UniqueValueConflict(refused);
}

/**
 * Adds the items that want a unique value that the record of a refused item was to give up, and now keeps. One pass
 * finds all of them: otherwise each would cost another write of the whole batch.
 */
function refuseCascadingConflicts(
  type: Fields,
  writes: readonly RecordWrite[],
  refused: Map<RecordToSave, InvalidInput>,
): void {
  const wanting = new Map<string, RecordWrite[]>();
  for (const write of writes) {
    for (const [key] of uniqueKeys(type, write.record.fieldValues)) {
      wanting.set(key, [...(wanting.get(key) ?? []), write]);
    }
  }
  const queue = writes.filter(({ steps }) => steps.some(({ item }) => refused.has(item)));
  for (const write of queue) {
    for (const [key, field] of uniqueKeys(type, valuesWithout(write, refused))) {
      for (const other of wanting.get(key) ?? []) {
        if (other === write) continue;
        const bringing = other.steps.filter(
          ({ item }) => Object.hasOwn(item.fieldValues, field) && !refused.has(item),
        );
        for (const { item } of bringing) refused.set(item, duplicate(type, [field]));
        // This record keeps its values as well, and may block others.
        if (bringing.length > 0) queue.push(other);
      }
    }
  }
}

/** The values that a record ends up with when the refused items are left out. */
function valuesWithout({ steps }: RecordWrite, refused: ReadonlyMap<RecordToSave, unknown>): FieldValues {
  const values: FieldValues = { ...steps[0]?.before?.fieldValues };
  for (const { item, after } of steps) {
    if (refused.has(item)) continue;
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
