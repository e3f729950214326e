import { InvalidInput } from '../../lib/errors.js';
import { type CheckedColumns, checkColumns, type ExpectedColumns } from './check-columns.js';
import { malformedCsv, malformedRow } from './malformed-csv.js';
import { type CsvRow, parseCsv } from './parse-csv.js';

/** Limit in the specification for imports of members and data records. */
export const maxImportRows = 10_000;
/** More characters than any field accepts. */
export const maxCellLength = 65_536;

/** A CSV file that has been checked to its end. */
export interface CsvFile {
  /** Names of the columns that are read; rows contain no cells of other columns. */
  columns: readonly string[];
  /** Messages that name the skipped columns with the reasons. */
  columnsPassedOver: string[];
  /** Number of rows that are not blank, without the header. */
  total: number;
  /** Reads the file again; each row has a cell for every column that is read. */
  rows(): AsyncGenerator<CsvRow>;
}

/**
 * Reads a whole CSV file to check it before anything is imported: it must be valid CSV, have the expected columns and
 * not exceed the limit of rows.
 *
 * @throws InvalidInput with the row or columns
 */
export async function openCsv(path: string, expected: ExpectedColumns): Promise<CsvFile> {
  let checked: CheckedColumns | undefined;
  let total = 0;
  for await (const { row, cells } of parseCsv(path)) {
    if (checked === undefined) {
      checked = checkColumns(cells, expected);
      continue;
    }
    checkCells(row, cells, checked.columns);
    total += 1;
    if (total > maxImportRows) throw tooManyRows();
  }
  if (checked === undefined) throw malformedCsv('The file is empty: it has not even names of columns.');
  const { columns: all, passedOver: columnsPassedOver } = checked;
  const columns = all.filter((name) => name !== null);
  return { columns, columnsPassedOver, total, rows: () => rowsBelow(path, all) };
}

function checkCells(row: number, cells: readonly string[], columns: readonly (string | null)[]): void {
  if (cells.length < columns.length) {
    throw malformedRow(row, `has ${cells.length} cells, and there are ${columns.length} columns`);
  }
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    throw malformedRow(row, `has more cells than the ${columns.length} columns`);
  }
  const tooLong = columns.find((name, index) => name !== null && (cells[index]?.length ?? 0) > maxCellLength);
  if (tooLong != null) {
    throw malformedRow(row, `has more than ${maxCellLength} characters in the column ${tooLong}`);
  }
}

async function* rowsBelow(path: string, columns: readonly (string | null)[]): AsyncGenerator<CsvRow> {
  let isHeader = true;
  for await (const { row, cells } of parseCsv(path)) {
    if (!isHeader) yield { row, cells: cells.filter((_, index) => columns[index] != null) };
    isHeader = false;
  }
}

function tooManyRows(): InvalidInput {
  return InvalidInput.field('/file', `The file has more than ${maxImportRows} rows.`, 'csv_too_many_rows');
}
