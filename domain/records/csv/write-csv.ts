import { type Options, stringify } from 'csv-stringify/sync';
import type { Cell } from './cells.js';
import { neutralize } from './formulas.js';

export interface CsvOptions {
  /** False for files that only programs read. Default: true. */
  neutralize?: boolean;
}

/** Characters of one piece. Rows are written together, because a write for each would cost more than the row. */
const chunkLength = 16_384;

const format: Options = {
  record_delimiter: 'windows',
  quote_record_delimiter: true,
  // Some readers treat these as separators, or trim cells that are not quoted.
  quoted_match: /^\s|[;\t]|\s$/,
};

/**
 * Writes a CSV file (RFC 4180, UTF-8). Without a byte order mark, spreadsheets read it as windows-1252; programs need none. Reads on only when the next piece is requested.
 */
export async function* writeCsv(
  columns: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  const mark = options.neutralize === false ? (text: string) => text : neutralize;
  let begin = options.neutralize === false ? '' : '\ufeff';
  let chunk = [columns.map(mark)];
  let length = 0;
  for await (const row of rows) {
    const cells = row.map((cell) => textOf(cell, mark));
    chunk.push(cells);
    for (const cell of cells) length += cell.length + 1;
    if (length < chunkLength) continue;
    yield begin + stringify(chunk, format);
    begin = '';
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield begin + stringify(chunk, format);
}

function textOf(cell: Cell, mark: (text: string) => string): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? mark(cell) : String(cell);
}
