import type { FileHandle } from 'node:fs/promises';

const pieceBytes = 128 * 1024;

/**
 * The bytes of an open file between two positions, through two buffers: while one is taken, the other is read into. A
 * stream would allocate one for each piece, which are freed late. Closes the file at the end.
 */
export class FileBytes implements AsyncIterable<Uint8Array> {
  readonly #file: FileHandle;
  readonly #pieces: AsyncGenerator<Uint8Array>;
  #hasStarted = false;

  /** @param part positions of the first byte and of the one after the last */
  constructor(file: FileHandle, part: { start: number; end: number }) {
    this.#file = file;
    this.#pieces = this.#read(part);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#pieces;
  }

  /** Stops early, after the read that is under way. */
  destroy(): void {
    const closing = this.#hasStarted ? this.#pieces.return(undefined) : this.#file.close();
    closing.catch(() => {});
  }

  async *#read({ start, end }: { start: number; end: number }): AsyncGenerator<Uint8Array> {
    this.#hasStarted = true;
    let at = start;
    const fill = (buffer: Buffer): Promise<Uint8Array> => {
      const wanted = Math.min(buffer.length, end - at);
      const filling = this.#file.read(buffer, 0, wanted, at).then(({ bytesRead }) => {
        at += bytesRead;
        return buffer.subarray(0, bytesRead);
      });
      // Reported when the piece is asked for.
      filling.catch(() => {});
      return filling;
    };
    const length = Math.min(pieceBytes, Math.max(1, end - start));
    let [filled, free] = [Buffer.allocUnsafeSlow(length), Buffer.allocUnsafeSlow(length)];
    let filling = fill(filled);
    try {
      for (;;) {
        const piece = await filling;
        if (piece.length === 0) return;
        filling = fill(free);
        [filled, free] = [free, filled];
        yield piece;
      }
    } finally {
      // The file is not closed under a read.
      await filling.catch(() => {});
      await this.#file.close();
    }
  }
}
