import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { InvalidInput } from '../../lib/errors.js';
import { restore } from './formulas.js';

export interface CsvRow {
  /** Row number as in a spreadsheet: the column names are row 1, and empty lines count. */
  row: number;
  /** Without the apostrophes that `writeCsv` puts in front of formulas. */
  cells: readonly string[];
}

/** What a file is read in if it is not UTF-8 or, with a byte order mark, UTF-16; some spreadsheets save so. */
export const otherEncodings = ['windows-1252'] as const;
export type OtherEncoding = (typeof otherEncodings)[number];

/** How the bytes of a file are read. */
export interface CsvForm {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | OtherEncoding;
  separator: Separator;
}

interface ParsedRow {
  record: string[];
  info: { records: number; empty_lines: number };
}

/** Bytes that are parsed at once: they block the event loop for about a millisecond. */
const chunkBytes = 16_384;
/** Limit for one row. Any record fits, even with all of its quotes doubled. */
const maxRowBytes = 2_097_152;
const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

const separators = [',', ';', '\t'] as const;
type Separator = (typeof separators)[number];
/** Of the beginning, in which the names of the columns are looked at. */
const beginningBytes = 65_536;

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
  INVALID_OPENING_QUOTE:
    'has a quote within a cell that does not begin with one (cells are separated as the names of the columns are)',
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed',
};

/**
 * Reads a CSV file row by row, including the header: UTF-8 with or without a byte order mark, or UTF-16 with one, lines
 * that end in LF, CRLF or CR (also mixed), quotes as in RFC 4180, cells separated by commas, semicolons or tabs,
 * whichever the names of the columns have most of. Blank rows are skipped.
 * @param given another encoding, which the sender has named
 * @throws InvalidInput with the row, if the file is not valid CSV
 */
export async function* parseCsv(path: string, given?: OtherEncoding): AsyncGenerator<CsvRow> {
  const { encoding, separator } = await csvFormOf(path, given);
  const parser = parse({
    bom: true,
    delimiter: separator,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    // The number of cells is checked by callers, which know the columns.
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  // An error of the file or of `guardBytes` destroys the parser with it, so that the loop below throws it.
  pipeline(file, asUtf8(encoding), guardBytes, parser, () => {});
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

/** How a file is read, by its beginning and what its sender says. */
export async function csvFormOf(path: string, given?: OtherEncoding): Promise<CsvForm> {
  const beginning = await readBeginning(path);
  const encoding = utf16Of(beginning) ?? given ?? 'utf-8';
  return { encoding, separator: separatorOf(new TextDecoder(encoding).decode(beginning)) };
}

async function readBeginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** As spreadsheets save "Unicode text". */
function utf16Of([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function asUtf8(encoding: CsvForm['encoding']) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    if (encoding === 'utf-8') {
      yield* chunks;
      return;
    }
    const decoder = new TextDecoder(encoding, { fatal: true });
    const decode = (chunk?: Buffer): Buffer => {
      try {
        return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
      } catch {
        throw malformedCsv('The file begins as text in UTF-16, and has signs that are none.');
      }
    };
    for await (const chunk of chunks) yield decode(chunk);
    yield decode();
  };
}

/** What separates the names of the columns, which are in the first line that has any. */
function separatorOf(beginning: string): Separator {
  const header = beginning.replace(/^[\s\ufeff]+/, '').replace(/"[^"]*"/g, '');
  const line = /^[^\r\n]*/.exec(header)?.[0] ?? '';
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] as Separator;
}

/** Passes on bytes that are UTF-8 without NUL. Limits rows, as the parser does not limit their number of cells. */
async function* guardBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

/** The error for a file that is not valid CSV; it does not quote the contents. */
export function malformedCsv(message: string): InvalidInput {
  return InvalidInput.field('/file', message, 'csv_malformed');
}

export function malformedRow(row: number, reason: string): InvalidInput {
  return malformedCsv(`Row ${row} ${reason}.`);
}
