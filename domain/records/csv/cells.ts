import type { FieldDefinition } from '../field-values.js';
import { formatList } from './lists.js';

/** The value of a cell. A number stays a number for the spreadsheet; a text is neutralised when it is written. */
export type Cell = string | number | boolean | null;

/** Distinguishes an empty list from a missing one. It cannot be a list of choices, which are never empty texts. */
export const emptyList = formatList(['']);

/** Converts a stored value of a data record to a cell; `fieldOfCell` is the inverse. */
export function cellOfField(field: Pick<FieldDefinition, 'fieldType'>, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (field.fieldType === 'json') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? emptyList : formatList(value.map(String));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}
