import { type Options, stringify } from 'csv-stringify/sync';
import type { Cell } from './cells.js';
import { neutralize } from './formulas.js';

export interface CsvOptions {
  /** False for files that programs read: texts stand as they are, also those a spreadsheet would run. Default true. */
  neutralize?: boolean;
}

/** Rows are given on together, in characters: a write for each would cost more than the row. */
const chunkLength = 16_384;

const format: Options = {
  record_delimiter: 'windows',
  quote_record_delimiter: true,
  // Some readers take these for separators, or trim what is not quoted.
  quoted_match: /^\s|[;\t]|\s$/,
};

/**
 * A CSV file (RFC 4180, UTF-8 without a byte order mark) piece by piece: the names of the columns, then the rows as
 * they come. Texts are neutralised here unless the caller asks for them as they are. Holds one piece at a time, and
 * reads and writes nothing before the next one is asked for.
 */
export async function* writeCsv(
  columns: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  const mark = options.neutralize === false ? (text: string) => text : neutralize;
  let chunk = [columns.map(mark)];
  let length = 0;
  for await (const row of rows) {
    const cells = row.map((cell) => textOf(cell, mark));
    chunk.push(cells);
    for (const cell of cells) length += cell.length + 1;
    if (length < chunkLength) continue;
    yield stringify(chunk, format);
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield stringify(chunk, format);
}

function textOf(cell: Cell, mark: (text: string) => string): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? mark(cell) : String(cell);
}
