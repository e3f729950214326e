import { bytesPerMs } from './mulaw.js';

const partBytes = 10_000 * bytesPerMs;
const maxParts = 12;

/** The first two minutes of one side of a stream, for tests. */
export class AudioTrackBuffer {
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  add(frame: Buffer): void {
    let left = frame;
    while (left.length > 0) {
      const [index, at] = [Math.floor(this.#bytes / partBytes), this.#bytes % partBytes];
      if (index >= maxParts) return;
      this.#parts[index] ??= Buffer.alloc(partBytes);
      const copied = left.copy(this.#parts[index], at);
      this.#bytes += copied;
      left = left.subarray(copied);
    }
  }

  all(): Buffer {
    return Buffer.concat(this.#parts).subarray(0, this.#bytes);
  }
}
