import { type FieldError, InvalidInput } from '../../lib/errors.js';

/** What an import expects of the names of a file's columns. */
export interface ExpectedColumns {
  /** Why a column is passed over, such as `is not known here`; null when it is read. */
  unread(name: string): string | null;
  required?: readonly string[];
}

const maxColumns = 2_000;
/** A longer name is none of ours, and nobody reads it to its end. */
const longestNameTold = 130;

/** Nobody reads more of them. */
const mostPassedOverTold = 100;

export interface CheckedColumns {
  /** Every column of the file, by its place: the name of one that is read, null for one that is passed over. */
  columns: (string | null)[];
  /** Which columns are passed over, and why. */
  passedOver: string[];
}

/**
 * The names of a file's columns. Columns at the end without a name, which spreadsheets like to leave, are none; those
 * that are not known, as files from other systems have, are passed over.
 *
 * @throws InvalidInput with everything that is wrong with them: none known, double, without a name, missing
 */
export function checkColumns(firstRow: readonly string[], expected: ExpectedColumns): CheckedColumns {
  const named = firstRow.map((name) => name.trim());
  const columns = named.slice(0, named.findLastIndex((name) => name !== '') + 1);
  if (columns.length > maxColumns) throw refused([`The file has more than ${maxColumns} columns.`]);
  const seen = new Set<string>();
  const told: string[] = [];
  let isRefused = false;
  const read = columns.map((name, index) => {
    const unread = name === '' ? null : expected.unread(name);
    const problem = name === '' ? 'has no name' : seen.has(name) ? 'is there twice' : null;
    const why = unread ?? problem;
    if (why !== null) told.push(`Column ${letterOf(index)} ${toldName(name)}${why}.`);
    if (unread !== null) return null;
    isRefused ||= problem !== null;
    seen.add(name);
    return name;
  });
  const missing = (expected.required ?? []).filter((name) => !seen.has(name));
  if (missing.length === 0 && !isRefused && seen.size > 0) {
    return { columns: read, passedOver: told.slice(0, mostPassedOverTold) };
  }
  told.push(...missing.map((name) => `The column ${name} is missing.`));
  if (columns.length === 1 && /[;\t]/.test(columns[0] ?? '')) told.push('Columns are separated by commas.');
  throw refused(told);
}

/** Where no names stand in the first row, people do: a name is told where it may be one. */
function toldName(name: string): string {
  return /^[\w.-]+$/.test(name) && name.length <= longestNameTold ? `(${name}) ` : '';
}

/** A, B, …, Z, AA, AB, … */
function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

function refused(problems: readonly string[]): InvalidInput {
  const errors = problems.map((message): FieldError => ({ pointer: '/file', message }));
  return InvalidInput.fields(errors, 'csv_columns_refused');
}
