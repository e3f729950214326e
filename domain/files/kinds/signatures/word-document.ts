import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import type { FileSource } from '../file-source.js';

/** Archives with more entries are refused; documents of hundreds of pages have fewer. */
const maxEntries = 2_000;
const largestDirectory = 4 * 1024 * 1024;
const largestContentTypes = 1024 * 1024;
const mainPart = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
}

/** Whether an archive declares the main part of a Word document without macros, in whatever order its entries are. */
export async function isWordDocument(source: FileSource): Promise<boolean> {
  try {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };
    const archive = await fromRandomAccessReaderPromise(new SourceReader(source), source.bytes, options);
    if (archive.entryCount > maxEntries) return false;
    const contentTypes = await findEntry(archive, '[Content_Types].xml');
    if (contentTypes === undefined || contentTypes.uncompressedSize > largestContentTypes) return false;
    const declared = await text(await archive.openReadStreamPromise(contentTypes));
    return declared.includes(mainPart) && !declared.includes('vbaProject');
  } catch {
    return false;
  }
}

async function findEntry(archive: ZipFile, name: string): Promise<Entry | undefined> {
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName === name) return entry;
  }
  return undefined;
}

/** Reads an archive in pieces, so that a large one is not in memory. */
class SourceReader extends RandomAccessReader {
  #directoryBytes = 0;

  constructor(readonly source: FileSource) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(pieces(this.source, start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#directoryBytes += length;
    if (this.#directoryBytes > largestDirectory) {
      callback(new Error('the directory of the archive is too large'));
      return;
    }
    this.source.read(position, length).then((bytes) => {
      buffer.set(bytes, offset);
      callback(bytes.byteLength < length ? new Error('the archive ends early') : null);
    }, callback);
  }

  override close(callback: (error: Error | null) => void): void {
    setImmediate(callback, null);
  }
}

async function* pieces(source: FileSource, start: number, end: number): AsyncGenerator<Uint8Array> {
  const step = 64 * 1024;
  for (let at = start; at < end; at += step) yield await source.read(at, Math.min(step, end - at));
}
