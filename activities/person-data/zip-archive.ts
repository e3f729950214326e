import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A ZIP archive that is written from front to back, at the pace of its reader. */
export class ZipArchive {
  /** The bytes of the archive. */
  readonly bytes: Readable;
  readonly #zip = new ZipFile();
  readonly #aborted = new AbortController();
  readonly #mtime: Date;

  constructor(mtime: Date) {
    this.#mtime = mtime;
    this.bytes = this.#zip.outputStream as Readable;
    this.#zip.on('error', (error: Error) => this.abort(error));
    // The reader hears of errors through its own listeners.
    this.bytes.on('error', () => {});
    this.bytes.once('close', () => this.#aborted.abort());
  }

  /**
   * Adds an entry, and resolves when its source is read. Entries follow one another.
   * @param path relative, below the root of the archive
   */
  async add(
    path: string,
    source: AsyncIterable<string | Uint8Array>,
    { compress }: { compress: boolean },
  ): Promise<void> {
    const read = Readable.from(source, { objectMode: false });
    this.#zip.addReadStream(read, path, { mtime: this.#mtime, mode: 0o100600, compress });
    try {
      await finished(read, { signal: this.#aborted.signal });
    } finally {
      read.destroy();
    }
  }

  end(): void {
    this.#zip.end();
  }

  /** Ends it without its end: its reader fails, and so does what is being added. */
  abort(error: Error): void {
    this.bytes.destroy(error);
  }
}
