import type { FieldDefinition } from '../field-values.js';
import { formatList } from './lists.js';

/** What is written into a cell. A number stays one for the spreadsheet; a text is neutralised when it is written. */
export type Cell = string | number | boolean | null;

/** What tells a list without items from no list at all. Choices are never empty texts. */
export const emptyList = formatList(['']);

/** A stored value of a data record as a cell; `fieldOfCell` reads it back. */
export function cellOfField(field: Pick<FieldDefinition, 'fieldType'>, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (field.fieldType === 'json') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? emptyList : formatList(value.map(String));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}
