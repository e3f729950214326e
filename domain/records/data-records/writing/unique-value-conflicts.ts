import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { InvalidInput } from '../../../lib/errors.js';
import { escapePointer } from '../../../lib/json-schema.js';
import type { RecordWrite } from './batch-plan.js';
import { refuseCascadingConflicts } from './cascading-conflicts.js';
import type { TakenValue } from './searchable-values.js';
import type { RecordToSave } from './write-options.js';

/**
 * Other records already have values that must be unique. The caller has to roll back and repeat without these items.
 */
export class UniqueValueConflict extends Error {
  constructor(readonly items: ReadonlyMap<RecordToSave, InvalidInput>) {
    super('values that are to be unique are taken');
  }
}

/** @throws UniqueValueConflict with the items whose values other records have, or keep once these items are left out */
export function refuseConflicts(
  type: Pick<DataTypeRow, 'fields'>,
  writes: readonly RecordWrite[],
  taken: readonly TakenValue[],
): void {
  if (taken.length === 0) return;
  const items = new Map<RecordToSave, InvalidInput>();
  for (const { record, steps } of writes) {
    const ofRecord = taken.filter(({ recordId }) => recordId === record.id);
    if (ofRecord.length === 0) continue;
    const culprits = steps.filter(({ item }) =>
      ofRecord.some(({ field }) => Object.hasOwn(item.fieldValues, field)),
    );
    // If no item brought the value, the record had it before (such as a retired record that is restored). It cannot be
    // stored with that value, so all of its items are refused.
    for (const { item } of culprits.length > 0 ? culprits : steps) {
      items.set(item, takenValues(type, item, ofRecord));
    }
  }
  refuseCascadingConflicts(
    type,
    writes,
    (item) => items.has(item),
    (item, field) => items.set(item, duplicate(type, [field])),
  );
  throw new UniqueValueConflict(items);
}

/** The error for an item whose record has taken values: at the fields that the item brought, if there are any. */
export function takenValues(
  type: Pick<DataTypeRow, 'fields'>,
  { fieldValues }: RecordToSave,
  taken: readonly TakenValue[],
): InvalidInput {
  const fields = taken.map(({ field }) => field);
  const brought = fields.filter((field) => Object.hasOwn(fieldValues, field));
  return duplicate(type, brought.length > 0 ? brought : fields);
}

/** The error for values that another record already has: 400 at each `/fieldValues/<slug>`, code `duplicate`. */
export function duplicate({ fields }: Pick<DataTypeRow, 'fields'>, slugs: readonly string[]): InvalidInput {
  const names = new Map(fields.map(({ slug, name }) => [slug, name]));
  const errors = slugs.map((slug) => ({
    pointer: `/fieldValues/${escapePointer(slug)}`,
    message: `${names.get(slug) ?? slug} is another record's already`,
  }));
  return InvalidInput.fields(errors, 'duplicate');
}
