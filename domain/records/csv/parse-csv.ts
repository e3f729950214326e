import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { restore } from './formulas.js';
import { guardBytes } from './guard-bytes.js';
import { malformedRow } from './malformed-csv.js';

/** A row of a CSV file. */
export interface CsvRow {
  /** As a spreadsheet counts: the names of the columns are row 1, empty lines count. */
  row: number;
  /** Without the apostrophes that `writeCsv` puts before formulas. */
  cells: readonly string[];
}

/** What is parsed at a stretch: a millisecond's work, so that others have their turn. */
const chunkBytes = 16_384;

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
  INVALID_OPENING_QUOTE: 'has a quote within a cell that does not begin with one',
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed',
};

/**
 * Reads a CSV file row by row, its first included: comma separated, UTF-8 with or without a byte order mark, lines
 * that end in LF, CRLF or CR (also mixed), quotes as in RFC 4180. Rows without anything in them are left out.
 *
 * @throws InvalidInput for what is not CSV, naming the row
 */
export async function* parseCsv(path: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    // Counting cells is for who knows the columns.
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  // What goes wrong before the parser ends up in the parser, and so in the loop.
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
