import { type FieldError, InvalidInput } from '../errors.js';

/** What an import expects of the names of a file's columns. */
export interface ExpectedColumns {
  /** Why a column is not taken, such as `is not known here`; null when it is. */
  refuse(name: string): string | null;
  required?: readonly string[];
}

const maxColumns = 2_000;
/** A longer name is none of ours, and nobody reads it to its end. */
const longestNameTold = 130;

/**
 * The names of a file's columns. Columns at the end without a name, which spreadsheets like to leave, are none.
 *
 * @throws InvalidInput with everything that is wrong with them: unknown, double, without a name, missing
 */
export function checkColumns(firstRow: readonly string[], expected: ExpectedColumns): string[] {
  const named = firstRow.map((name) => name.trim());
  const columns = named.slice(0, named.findLastIndex((name) => name !== '') + 1);
  if (columns.length > maxColumns) throw refused([`The file has more than ${maxColumns} columns.`]);
  const seen = new Set<string>();
  const problems = columns.flatMap((name, index) => {
    const problem = problemOf(name, seen, expected);
    seen.add(name);
    return problem === null ? [] : [`Column ${letterOf(index)} ${told(name)}${problem}.`];
  });
  const missing = (expected.required ?? []).filter((name) => !seen.has(name));
  problems.push(...missing.map((name) => `The column ${name} is missing.`));
  if (columns.length === 1 && /[;\t]/.test(columns[0] ?? ''))
    problems.push('Columns are separated by commas.');
  if (problems.length > 0) throw refused(problems);
  return columns;
}

function problemOf(name: string, seen: ReadonlySet<string>, expected: ExpectedColumns): string | null {
  if (name === '') return 'has no name';
  return seen.has(name) ? 'is there twice' : expected.refuse(name);
}

/** Where no names stand in the first row, people do: a name is told where it may be one. */
function told(name: string): string {
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
