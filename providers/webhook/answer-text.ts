import type { IncomingHttpHeaders } from 'node:http';

/** Keeps the beginning of a body and drops the rest. */
export class BodyPrefix {
  readonly #chunks: Buffer[] = [];
  #wanted: number;

  /** @param bytes how many bytes to keep */
  constructor(bytes: number) {
    this.#wanted = bytes;
  }

  add(chunk: Buffer): void {
    if (this.#wanted === 0) return;
    // A copy, because a slice would keep the whole chunk in memory.
    const kept = Buffer.from(chunk.subarray(0, this.#wanted));
    this.#wanted -= kept.length;
    this.#chunks.push(kept);
  }

  /**
   * Returns the beginning as text that PostgreSQL accepts: invalid UTF-8 and NUL become U+FFFD. An encoded body is not
   * decoded, because a few bytes could expand to many; its text is empty.
   */
  text(headers: IncomingHttpHeaders): string {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding !== '' && encoding !== 'identity') return '';
    // Decoded as a stream, so that a character cut off at the end is left out.
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true });
    return text.replaceAll('\0', '\ufffd');
  }
}
