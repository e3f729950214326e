import { invalid, type Normalized, valid } from '../field-types/types.js';
import type { FieldDefinition } from '../field-values.js';
import { parseList } from './lists.js';

const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** What a blank cell does to the value there is: nothing, or it empties it. */
export type BlankCells = 'keep' | 'clear';

/** Whether there is nothing in a cell. */
export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** `true`, `false`, `1` or `0`, in any case of letters; null for all else. */
export function booleanOfCell(cell: string): boolean | null {
  return booleans.get(cell.trim().toLowerCase()) ?? null;
}

/**
 * A cell that is not blank as a value of its field, in the form that requests have it: numbers as numbers, choices as
 * a list, JSON as what it says. Whether the field takes the value is for `checkValues` to say, which refuses a number
 * or boolean that is none in its own words.
 */
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
    case 'datetime':
    case 'time':
      return valid(cell.trim());
    case 'multiselect':
      return choicesOfCell(cell);
    case 'json':
      return jsonOfCell(cell);
    default:
      return valid(cell);
  }
}

function choicesOfCell(cell: string): Normalized {
  const items = parseList(cell);
  if (items === null) return invalid('has a quote that is not closed');
  return valid(items.filter((item) => item !== ''));
}

function jsonOfCell(cell: string): Normalized {
  try {
    return valid(JSON.parse(cell, refusePrototype));
  } catch {
    return invalid('must be JSON, and have no field called __proto__');
  }
}

/** Requests cannot have it either: to whoever copies such an object it means something else. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('a field is called __proto__');
  return value;
}
