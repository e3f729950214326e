import type { ByteSource } from '../../files/object-store.js';
import type { RecordingFile } from './assemble-recording.js';
import { silenceByte } from './wav.js';

/** Positions of the first and the last byte. */
interface Range {
  start: number;
  end: number;
}

/** Opens a part of an object. */
export type OpenObject = (uuid: string, range: Range) => Promise<ByteSource>;

const stillness = Buffer.alloc(64 * 1_024, silenceByte);

/** The bytes of a recording's file, or a part of them: one object after the other, each opened when its turn has come. */
export class RecordingBytes implements ByteSource {
  readonly #pieces: AsyncGenerator<Uint8Array>;
  #open: ByteSource | undefined;
  #isDestroyed = false;

  constructor(layout: RecordingFile, open: OpenObject, range: Range = { start: 0, end: layout.bytes - 1 }) {
    this.#pieces = this.#read(layout, open, range);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#pieces;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#open?.destroy();
    this.#pieces.return(undefined).catch(() => {});
  }

  async *#read({ header, parts }: RecordingFile, open: OpenObject, range: Range): AsyncGenerator<Uint8Array> {
    const until = range.end + 1;
    if (range.start < header.length) yield header.subarray(range.start, until);
    for (const part of parts) {
      const [start, end] = [Math.max(part.start, range.start), Math.min(part.end, until)];
      if (start >= end) continue;
      if (part.object === undefined) {
        yield* silenceOf(end - start);
        continue;
      }
      const { uuid, offset } = part.object;
      const from = offset + start - part.start;
      yield* this.#bytesOf(await open(uuid, { start: from, end: from + end - start - 1 }));
      if (this.#isDestroyed) return;
    }
  }

  async *#bytesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
    this.#open = source;
    try {
      if (!this.#isDestroyed) yield* source;
    } finally {
      source.destroy();
      this.#open = undefined;
    }
  }
}

function* silenceOf(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= stillness.length) yield stillness.subarray(0, left);
}
