import type { DataTypeRow } from '../../db/queries/data-types.js';
import { InvalidInput } from '../errors.js';
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

/** New values over old ones: what is left out stays, null empties. */
export function overlay(before: FieldValues, values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries({ ...before, ...values }).filter(([, value]) => value != null));
}
