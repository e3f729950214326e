import type { IncomingHttpHeaders } from 'node:http';

/** Keeps how a body begins and lets go of the rest. */
export class BodyPrefix {
  readonly #chunks: Buffer[] = [];
  #wanted: number;

  /** @param bytes how much of it to keep */
  constructor(bytes: number) {
    this.#wanted = bytes;
  }

  add(chunk: Buffer): void {
    if (this.#wanted === 0) return;
    // A copy: a slice would hold on to all that came with it.
    const kept = Buffer.from(chunk.subarray(0, this.#wanted));
    this.#wanted -= kept.length;
    this.#chunks.push(kept);
  }

  /**
   * The beginning as a text that PostgreSQL takes: bytes that are no UTF-8, and NUL, become U+FFFD. Encoded bodies are
   * not decoded, which would let a few bytes become many: their text is empty.
   */
  text(headers: IncomingHttpHeaders): string {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding !== '' && encoding !== 'identity') return '';
    // As a stream: a character that was cut off at the end is left out.
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true });
    return text.replaceAll('\0', '\ufffd');
  }
}
