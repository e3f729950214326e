import { InvalidInput } from '../../lib/errors.js';
import { maxColumns, maxImportRows } from './open-csv.js';
import { type CsvForm, csvFormOf, malformedCsv, type OtherEncoding, parseCsv } from './parse-csv.js';

export interface CsvPreview extends CsvForm {
  /** The names of the columns, as the file has them. */
  columns: string[];
  /** The first rows, with the beginning of each cell. */
  rows: string[][];
  /** Number of rows that are not blank, without the names of the columns. */
  total: number;
}

export const previewLimits = { rows: 5, columns: maxColumns, cell: 100 };

/**
 * Says how an import would read a file, whatever its columns are. One that is not UTF-8 is read in the other encoding.
 * @throws InvalidInput if it is not valid CSV, or has too many rows
 */
export async function previewCsv(path: string): Promise<CsvPreview> {
  try {
    return await preview(path);
  } catch (error) {
    const other =
      error instanceof InvalidInput ? await preview(path, 'windows-1252').catch(() => null) : null;
    if (other === null) throw error;
    return other;
  }
}

/** No character is cut in half. */
const beginningOf = (cell: string) =>
  [...cell.slice(0, 2 * previewLimits.cell)].slice(0, previewLimits.cell).join('');

async function preview(path: string, encoding?: OtherEncoding): Promise<CsvPreview> {
  let columns: string[] | undefined;
  const rows: string[][] = [];
  let total = 0;
  for await (const { cells } of parseCsv(path, encoding)) {
    const shown = cells.slice(0, previewLimits.columns).map(beginningOf);
    if (columns === undefined) {
      columns = shown;
      continue;
    }
    if (rows.length < previewLimits.rows) rows.push(shown);
    total += 1;
    if (total <= maxImportRows) continue;
    throw InvalidInput.field('/file', `The file has more than ${maxImportRows} rows.`, 'csv_too_many_rows');
  }
  if (columns === undefined) throw malformedCsv('The file is empty: it has not even names of columns.');
  return { ...(await csvFormOf(path, encoding)), columns, rows, total };
}
