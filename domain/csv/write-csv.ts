import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Cell } from './cells.js';
import { neutralize } from './formulas.js';

/** Rows are given on together: a write for each would cost more than the row. */
const chunkLength = 16_384;

/**
 * A CSV file (RFC 4180, UTF-8 without a byte order mark) piece by piece: the names of the columns, then the rows as
 * they come. Texts are neutralised here, so that no caller can forget to. Holds one piece at a time.
 */
export async function* writeCsv(
  columns: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<string> {
  const stringifier = Readable.from(lines(columns, rows)).compose(
    stringify({
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
): AsyncGenerator<string[]> {
  yield columns.map(neutralize);
  for await (const row of rows) yield row.map(textOf);
}

function textOf(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? neutralize(cell) : String(cell);
}
