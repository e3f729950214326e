import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { InvalidInput } from '../../../lib/errors.js';
import { type CheckValuesOptions, checkValues, type FieldValues } from '../../field-values.js';

export type { FieldValues } from '../../field-values.js';

/**
 * Checks values and returns them in their stored form.
 *
 * @throws InvalidInput at `/fieldValues/<slug>` of each bad field
 */
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
 * Limit of a record's values as JSON, in bytes. A page of a hundred such records fits into memory, and one record fits
 * into a row of an import.
 */
const maxRecordBytes = 262_144;

/**
 * Merges new values into the old ones: omitted fields stay, null clears.
 *
 * @throws InvalidInput `record_too_large`
 */
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
 * Drops nulls for fields that are empty already. Even a required field may be empty: the agent stores incomplete
 * records, and a client may send one back with the nulls that it read.
 */
export function dropNoOpNulls(type: DataTypeRow, before: FieldValues, values: FieldValues): FieldValues {
  const empty = new Set(type.fields.map(({ slug }) => slug).filter((slug) => !Object.hasOwn(before, slug)));
  return Object.fromEntries(
    Object.entries(values).filter(([slug, value]) => value !== null || !empty.has(slug)),
  );
}
