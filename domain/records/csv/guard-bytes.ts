import { TextDecoder } from 'node:util';
import { malformedCsv, malformedRow } from './malformed-csv.js';

/** Limit for one row. Any record fits, even with all of its quotes doubled. */
export const maxRowBytes = 2_097_152;

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/**
 * Passes on the bytes of a CSV file after checking that they are UTF-8 without NUL, and that no row exceeds the limit.
 * The parser limits the size of a row's cells, but not their number.
 *
 * @throws InvalidInput
 */
export async function* guardBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let row = 1;
  let rowBytes = 0;
  let inQuotes = false;
  let last = 0;
  for await (const chunk of chunks) {
    checkText(decoder, chunk, row);
    for (const byte of chunk) {
      rowBytes += 1;
      if (byte === 0) throw malformedRow(row, 'holds a NUL character');
      if (byte === quote) inQuotes = !inQuotes;
      const ends = byte === lineFeed ? last !== carriageReturn : byte === carriageReturn;
      if (ends && !inQuotes) {
        row += 1;
        rowBytes = 0;
      }
      last = byte;
    }
    if (rowBytes > maxRowBytes) throw malformedRow(row, 'is too long; perhaps a quote is not closed');
    yield chunk;
  }
  checkText(decoder, undefined, row);
}

function checkText(decoder: TextDecoder, chunk: Buffer | undefined, row: number): void {
  try {
    if (chunk === undefined) decoder.decode();
    else decoder.decode(chunk, { stream: true });
  } catch {
    throw malformedCsv(`The file has to be text in UTF-8, and is not, at row ${row} or soon after.`);
  }
}
