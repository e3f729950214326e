import { asciiDigits } from '../../lib/digits.js';
import { isDate } from '../field-types/dates.js';
import { invalid, type Normalized, valid } from '../field-types/types.js';
import { type FieldDefinition, idsOf } from '../field-values.js';
import { formatList, parseList } from './lists.js';

/** The value of a cell. A number stays a number for the spreadsheet; a text is neutralised when it is written. */
export type Cell = string | number | boolean | null;

/** Distinguishes an empty list from a missing one. It cannot be a list of choices, which are never empty texts. */
export const emptyList = formatList(['']);

const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Whether a blank cell keeps the existing value or clears it. */
export type BlankCells = 'keep' | 'clear';

export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** Parses `true`, `false`, `1` or `0`, in any letter case; null for anything else. */
export function booleanOfCell(cell: string): boolean | null {
  return booleans.get(cell.trim().toLowerCase()) ?? null;
}

const dottedDate = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const yearFirst = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/;
const slashedDate = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/;

/**
 * A date as spreadsheets write it, as YYYY-MM-DD, if only one day can be meant: with dots the day is first everywhere,
 * with slashes in some countries. Any other text as it is.
 */
export function dateOfCell(cell: string): string {
  const text = asciiDigits(cell.trim());
  const dotted = dottedDate.exec(text);
  if (dotted !== null) return dateOf(dotted[3], dotted[2], dotted[1]) ?? text;
  const first = yearFirst.exec(text);
  if (first !== null) return dateOf(first[1], first[2], first[3]) ?? text;
  const [, one, other, year] = slashedDate.exec(text) ?? [];
  const days = new Set(
    [dateOf(year, other, one), dateOf(year, one, other)].filter((day) => day !== undefined),
  );
  return days.size === 1 ? ([...days][0] ?? text) : text;
}

function dateOf(year = '', month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : undefined;
}

/** Converts a stored value of a data record to a cell; `fieldOfCell` is the inverse. */
export function cellOfField(field: Pick<FieldDefinition, 'fieldType'>, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (field.fieldType === 'json') return JSON.stringify(value);
  if (field.fieldType === 'files') return cellOfFiles(value);
  if (Array.isArray(value)) return value.length === 0 ? emptyList : formatList(value.map(String));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}

/** The value of a cell that is not blank, as requests have it. `checkValues` refuses what stays a text. */
export function fieldOfCell(field: Pick<FieldDefinition, 'fieldType'>, cell: string): Normalized {
  switch (field.fieldType) {
    case 'number':
    case 'integer':
    case 'file':
    case 'member':
      return valid(numberForm.test(cell.trim()) ? Number(cell) : cell);
    case 'boolean':
      return valid(booleanOfCell(cell) ?? cell);
    case 'date':
      return valid(dateOfCell(cell));
    case 'datetime':
    case 'time':
      return valid(cell.trim());
    case 'multiselect': {
      const items = parseList(cell)?.filter((item) => item !== '');
      return items === undefined ? invalid('has a quote that is not closed') : valid(items);
    }
    case 'files':
      return filesOfCell(cell);
    case 'json':
      return jsonOfCell(cell);
    default:
      return valid(cell);
  }
}

/** A spreadsheet takes `12,150` for one number, and saves it as 12150. */
function cellOfFiles(value: unknown): Cell {
  const ids = idsOf(value);
  return ids.length === 0 ? emptyList : ids.join('; ');
}

function filesOfCell(cell: string): Normalized {
  if (cell.trim() === emptyList) return valid([]);
  const items = cell.split(/[;,]/).map((item) => item.trim());
  return items.every((item) => /^\d+$/.test(item))
    ? valid(items.map(Number))
    : invalid('must be ids, separated by ;');
}

function jsonOfCell(cell: string): Normalized {
  try {
    return valid(JSON.parse(cell, refusePrototype));
  } catch {
    return invalid('must be JSON, and have no field called __proto__');
  }
}

/** Requests refuse this name as well, because code that copies the object would set its prototype. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('a field is called __proto__');
  return value;
}
