import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { restore } from './formulas.js';
import { guardBytes } from './guard-bytes.js';
import { malformedRow } from './malformed-csv.js';

export interface CsvRow {
  /** Row number as in a spreadsheet: the column names are row 1, and empty lines count. */
  row: number;
  /** Without the apostrophes that `writeCsv` puts in front of formulas. */
  cells: readonly string[];
}

/** Bytes that are parsed at once. They take about a millisecond, after which other work on the event loop can run. */
const chunkBytes = 16_384;

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
  INVALID_OPENING_QUOTE: 'has a quote within a cell that does not begin with one',
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed',
};

/**
 * Reads a CSV file row by row, including the header: separated by commas, UTF-8 with or without a byte order mark,
 * lines that end in LF, CRLF or CR (also mixed), quotes as in RFC 4180. Blank rows are skipped.
 *
 * @throws InvalidInput with the row, if the file is not valid CSV
 */
export async function* parseCsv(path: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    // The number of cells is checked by callers, which know the columns.
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  // An error of the file or of `guardBytes` destroys the parser with it, so that the loop below throws it.
  pipeline(file, guardBytes, parser, () => {});
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
      if (record.every((cell) => cell.trim() === '')) continue;
      yield { row: info.records + info.empty_lines, cells: record.map(restore) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { records, empty_lines } = parser.info;
    throw malformedRow(records + empty_lines + 1, reasons[error.code] ?? 'cannot be read');
  }
}

interface ParsedRow {
  record: string[];
  info: { records: number; empty_lines: number };
}
