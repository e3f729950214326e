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

/** Whether a blank cell keeps the existing value or clears it. */
export type BlankCells = 'keep' | 'clear';

export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** Parses `true`, `false`, `1` or `0`, in any letter case; null for anything else. */
export function booleanOfCell(cell: string): boolean | null {
  return booleans.get(cell.trim().toLowerCase()) ?? null;
}

/**
 * Converts a cell that is not blank to its field's value in the form that requests use. Does not validate it: a cell
 * that is no number stays a text, for which `checkValues` reports the error.
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
  const items = parseList(cell)?.filter((item) => item !== '');
  return items === undefined ? invalid('has a quote that is not closed') : valid(items);
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
