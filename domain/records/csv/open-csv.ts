import { InvalidInput } from '../../lib/errors.js';
import type { FileImportResult } from './import-tally.js';
import { type CsvRow, malformedCsv, malformedRow, type OtherEncoding, parseCsv } from './parse-csv.js';

/** Limit in the specification for imports of members and data records. */
export const maxImportRows = 10_000;
/** More characters than any field accepts. */
export const maxCellLength = 65_536;
export const maxColumns = 2_000;
/** Longer names are not quoted in messages: no known column has one. */
const maxNameLengthTold = 130;
const maxPassedOverTold = 100;

export interface ExpectedColumns {
  /** Returns why a column is skipped, such as `is not known here`, or null if it is read. */
  unread(name: string): string | null;
  required?: readonly string[];
}

/** How a file is to be read, where its sender says more than the file. */
export interface CsvReading {
  encoding?: OtherEncoding | undefined;
  /** What each column is read as, in the order of the file and separated by commas; one without a name is not read. */
  columns?: string | undefined;
}

/** Says why a row failed, in the file of such rows, and is passed over when that is imported. */
export const errorColumn = '__error';

interface CheckedColumns {
  /** Every column of the file, in order: its name, or null if it is skipped. */
  columns: (string | null)[];
  /** What is told of the columns that are skipped, by their places. */
  passedOver: Map<number, string>;
}

/** A CSV file that has been checked to its end. */
interface CsvFile extends Pick<FileImportResult, 'columnsPassedOver'> {
  /** Names of the columns that are read; rows contain no cells of other columns. */
  columns: readonly string[];
  /** Every column of the file, in order: its name, or null if it is skipped. */
  layout: readonly (string | null)[];
  /** Number of rows that are not blank, without the header. */
  total: number;
  /** Reads the file again; each row has a cell for every column that is read, unless the row ends before. */
  rows(): AsyncGenerator<CsvRow>;
}

/**
 * Reads a whole CSV file to check it before anything is imported. An unknown column that has a value in any row refuses the file:
 * the value would be lost, and the row count as a success. @throws InvalidInput with the row or columns
 */
export async function openCsv(
  path: string,
  expected: ExpectedColumns,
  { encoding, columns: named }: CsvReading = {},
): Promise<CsvFile> {
  let checked: CheckedColumns | undefined;
  let total = 0;
  const lost = new Set<number>();
  for await (const { row, cells } of parseCsv(path, encoding)) {
    if (checked === undefined) {
      checked = checkColumns(cells, expected, named?.split(','));
      continue;
    }
    checkCells(row, cells, checked.columns);
    for (const index of checked.passedOver.keys()) if (cells[index]?.trim()) lost.add(index);
    total += 1;
    if (total <= maxImportRows) continue;
    throw InvalidInput.field('/file', `The file has more than ${maxImportRows} rows.`, 'csv_too_many_rows');
  }
  if (checked === undefined) throw malformedCsv('The file is empty: it has not even names of columns.');
  const { columns: all, passedOver } = checked;
  const told = [...passedOver].filter(([index]) => lost.has(index)).map(([, why]) => why);
  if (told.length > 0) throw refused(told.slice(0, maxPassedOverTold));
  const columnsPassedOver = [...passedOver.values()].slice(0, maxPassedOverTold);
  const columns = all.filter((name) => name !== null);
  return { columns, layout: all, columnsPassedOver, total, rows: () => rowsBelow(path, all, encoding) };
}

function checkCells(row: number, cells: readonly string[], columns: readonly (string | null)[]): void {
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    throw malformedRow(row, `has more cells than the ${columns.length} columns`);
  }
  const tooLong = columns.find((name, index) => name !== null && (cells[index]?.length ?? 0) > maxCellLength);
  if (tooLong == null) return;
  throw malformedRow(row, `has more than ${maxCellLength} characters in the column ${tooLong}`);
}

/** Reads the rows of a file that was checked, whose columns are these. */
export async function* rowsBelow(
  path: string,
  columns: readonly (string | null)[],
  encoding?: OtherEncoding,
): AsyncGenerator<CsvRow> {
  let isHeader = true;
  for await (const { row, cells } of parseCsv(path, encoding)) {
    if (!isHeader) yield { row, cells: cells.filter((_, index) => columns[index] != null) };
    isHeader = false;
  }
}

/**
 * Ignores trailing columns without a name, and skips unknown ones.
 * @param given what the columns are read as, in place of their names in the file
 * @throws InvalidInput with all errors: no known column, duplicates, missing names, missing columns
 */
function checkColumns(
  firstRow: readonly string[],
  expected: ExpectedColumns,
  given?: readonly string[],
): CheckedColumns {
  if (given !== undefined && given.length > firstRow.length) {
    throw InvalidInput.field(
      '/columns',
      `These are ${given.length} columns, and the file has ${firstRow.length}.`,
    );
  }
  const named = firstRow.map((name, index) =>
    given === undefined ? knownName(name.trim(), expected) : (given[index] ?? '').trim(),
  );
  const columns =
    given === undefined ? named.slice(0, named.findLastIndex((name) => name !== '') + 1) : named;
  if (columns.length > maxColumns) throw refused([`The file has more than ${maxColumns} columns.`]);
  const seen = new Set<string>();
  const told: string[] = [];
  const passedOver = new Map<number, string>();
  let isRefused = false;
  const read = columns.map((name, index) => {
    if (name === errorColumn || (name === '' && given !== undefined)) return null;
    const unread = name === '' ? null : expected.unread(name);
    const problem = name === '' ? 'has no name' : seen.has(name) ? 'is there twice' : null;
    const why = unread ?? problem;
    const line = `Column ${letterOf(index)} ${toldName(name)}${why}.`;
    if (why !== null) told.push(line);
    if (unread !== null) {
      passedOver.set(index, line);
      return null;
    }
    isRefused ||= problem !== null;
    seen.add(name);
    return name;
  });
  const missing = (expected.required ?? []).filter((name) => !seen.has(name));
  if (missing.length === 0 && !isRefused && seen.size > 0) {
    return { columns: read, passedOver };
  }
  told.push(...missing.map((name) => `The column ${name} is missing.`));
  if (told.length === 0) told.push('No column is to be read.');
  throw refused(told);
}

/** The name as it is known here, which spreadsheets write as `Date of birth`. */
function knownName(name: string, { unread }: ExpectedColumns): string {
  const others = [name.toLowerCase(), name.toLowerCase().replace(/[\s-]+/g, '_')];
  return [name, ...others].find((one) => one !== '' && unread(one) === null) ?? name;
}

/** What is wrong with a row that ends before its last column: its cells may be shifted, and are not written. */
export function shortRow(cells: readonly string[], columns: readonly string[]): string | undefined {
  const [most, given] = [columns.length, cells.length];
  return given < most ? `has ${given} of ${most} cells; empty ones have to be there too` : undefined;
}

/** Quotes a column's name only if it looks like one: in a file without a header, the first row holds personal data. */
function toldName(name: string): string {
  return /^[\w.-]+$/.test(name) && name.length <= maxNameLengthTold ? `(${name}) ` : '';
}

/** Column letters as in a spreadsheet: A, B, …, Z, AA, AB, … */
function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

function refused(problems: readonly string[]): InvalidInput {
  const errors = problems.map((message) => ({ pointer: '/file', message }));
  return InvalidInput.fields(errors, 'csv_columns_refused');
}
