import { type FieldError, InvalidInput } from '../../lib/errors.js';

/** The columns that an import accepts. */
export interface ExpectedColumns {
  /** Returns why a column is skipped, such as `is not known here`, or null if it is read. */
  unread(name: string): string | null;
  required?: readonly string[];
}

const maxColumns = 2_000;
/** Longer names are not quoted in messages: no known column has one. */
const longestNameTold = 130;

/** How many skipped columns are reported. */
const mostPassedOverTold = 100;

export interface CheckedColumns {
  /** Every column of the file, in order: its name, or null if it is skipped. */
  columns: (string | null)[];
  /** Messages that name the skipped columns with the reasons. */
  passedOver: string[];
}

/**
 * Checks the names of a file's columns. Trailing columns without a name, which spreadsheets often leave, are ignored;
 * unknown ones, as in files of other systems, are skipped.
 *
 * @throws InvalidInput with all errors: no known column, duplicates, missing names, missing columns
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

/** Quotes a column's name only if it looks like one: in a file without a header, the first row holds personal data. */
function toldName(name: string): string {
  return /^[\w.-]+$/.test(name) && name.length <= longestNameTold ? `(${name}) ` : '';
}

/** Column letters as in a spreadsheet: A, B, …, Z, AA, AB, … */
function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

function refused(problems: readonly string[]): InvalidInput {
  const errors = problems.map((message): FieldError => ({ pointer: '/file', message }));
  return InvalidInput.fields(errors, 'csv_columns_refused');
}
