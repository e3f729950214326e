import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { TextPage } from '../lines.js';
import { Refused } from '../refused.js';
import { partsOf } from './parts.js';
import { decodedPieces } from './text.js';

export function csvPages(path: string, fromPage: number): AsyncIterable<TextPage> {
  return partsOf(rowsOf(path), fromPage);
}

const maxColumns = 1_000;

/** Each row as a paragraph that names its columns: `name: Ada; city: Vienna`. */
async function* rowsOf(path: string): AsyncIterable<string> {
  const parser = Readable.from(decodedPieces(path)).pipe(
    parse({
      bom: true,
      delimiter: [',', ';', '\t'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 1024 * 1024,
    }),
  );
  let header: string[] | undefined;
  let rows = 0;
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      if (header === undefined) header = row.slice(0, maxColumns);
      else {
        rows += 1;
        yield describeRow(header, row);
      }
    }
  } catch {
    throw new Refused('damaged');
  }
  if (header !== undefined && rows === 0) yield header.join('; ');
}

function describeRow(header: readonly string[], row: readonly string[]): string {
  return row
    .slice(0, maxColumns)
    .flatMap((cell, at) => {
      if (cell.trim() === '') return [];
      const name = header[at]?.trim() ?? '';
      return [name === '' ? cell : `${name}: ${cell}`];
    })
    .join('; ');
}
