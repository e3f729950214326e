import type { DataTypeRow } from '../../../db/records/data-types.js';
import { InvalidInput } from '../../lib/errors.js';
import { type CheckValuesOptions, checkValues, type FieldValues } from '../field-values.js';

export type { FieldValues } from '../field-values.js';

/** Values as they are stored. @throws InvalidInput pointing at each field, as `/fieldValues/<slug>` */
export function checkRecordValues(
  type: DataTypeRow,
  values: FieldValues,
  options: CheckValuesOptions,
): FieldValues {
  const checked = checkValues(type.fields, values, options);
  if (checked.errors.length > 0) throw InvalidInput.fields(checked.errors);
  return checked.values;
}

/**
 * Bytes of a record's values as JSON: a page of a hundred such records fits into memory, and a record into a row of an
 * import.
 */
const maxRecordBytes = 262_144;

/** New values over old ones: what is left out stays, null empties. @throws InvalidInput where they are too much */
export function overlay(before: FieldValues, values: FieldValues): FieldValues {
  const all = Object.fromEntries(
    Object.entries({ ...before, ...values }).filter(([, value]) => value != null),
  );
  if (Buffer.byteLength(JSON.stringify(all)) <= maxRecordBytes) return all;
  throw InvalidInput.field(
    '/fieldValues',
    `A record holds at most ${maxRecordBytes} bytes.`,
    'record_too_large',
  );
}

/**
 * Leaves out nulls for fields that are empty anyway. A required one may be: in a record that an agent has gathered half
 * of, where saying so again empties nothing.
 */
export function dropNoOpNulls(type: DataTypeRow, before: FieldValues, values: FieldValues): FieldValues {
  const empty = new Set(type.fields.map(({ slug }) => slug).filter((slug) => !Object.hasOwn(before, slug)));
  return Object.fromEntries(
    Object.entries(values).filter(([slug, value]) => value !== null || !empty.has(slug)),
  );
}
