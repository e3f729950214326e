import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Cell } from './cells.js';
import { neutralize } from './formulas.js';

export interface CsvOptions {
  /** False for files that programs read: texts stand as they are, also those a spreadsheet would run. Default true. */
  neutralize?: boolean;
}

/** Rows are given on together: a write for each would cost more than the row. */
const chunkLength = 16_384;
/** Rows that are read and written ahead of what is taken: a row may hold 256 KiB. */
const rowsAhead = 2;

/**
 * A CSV file (RFC 4180, UTF-8 without a byte order mark) piece by piece: the names of the columns, then the rows as
 * they come. Texts are neutralised here unless the caller asks for them as they are. Holds one piece at a time.
 */
export async function* writeCsv(
  columns: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  const mark = options.neutralize === false ? (text: string) => text : neutralize;
  const stringifier = Readable.from(lines(columns, rows, mark), { highWaterMark: rowsAhead }).compose(
    stringify({
      writableHighWaterMark: rowsAhead,
      record_delimiter: 'windows',
      quote_record_delimiter: true,
      // Some readers take these for separators, or trim what is not quoted.
      quoted_match: /^\s|[;\t]|\s$/,
    }),
  );
  let chunk = '';
  for await (const line of stringifier) {
    chunk += line;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

async function* lines(
  columns: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  mark: (text: string) => string,
): AsyncGenerator<string[]> {
  yield columns.map(mark);
  for await (const row of rows) yield row.map((cell) => textOf(cell, mark));
}

function textOf(cell: Cell, mark: (text: string) => string): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? mark(cell) : String(cell);
}
