import type { Schemas } from '../api.js';

type Line = Schemas['DataRecordImportLine'];
export type ImportProgress = Extract<Line, { type: 'progress' }>;
/** What an import of records, and one of members, ends with. */
export type ImportResult = Extract<Line, { type: 'complete' }>;

/** The answer ended before the import did; `code` is that of the service, if it says one. */
export class ImportBroken extends Error {
  constructor(readonly code: string | undefined) {
    super('The import ended early.');
    this.name = 'ImportBroken';
  }
}

/**
 * Reads the lines of an import as they come. @returns its last line
 * @throws ImportBroken, or the reason of the request's signal
 */
export async function followImport(
  lines: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  let rest = '';
  for await (const text of piecesOf(lines.pipeThrough(new TextDecoderStream()))) {
    const [last = '', ...whole] = (rest + text).split('\n').reverse();
    rest = last;
    for (const line of whole.reverse()) {
      const read: Line | Schemas['StreamFailure'] = JSON.parse(line);
      if (read.type === 'complete') return read;
      if (read.type === 'error') throw new ImportBroken(read.code);
      onProgress(read);
    }
  }
  throw new ImportBroken(undefined);
}

/** Not every browser iterates streams. */
async function* piecesOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
