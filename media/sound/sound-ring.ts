/** Enough for a second; kept for the whole call. */
const minBytes = 8_192;
/** What is larger is given back once nothing waits. */
const maxKeptBytes = 65_536;

/**
 * Sound that was sent to a carrier and has not been played yet, as bytes of µ-law in the order of sending. The bytes are copied
 * into one ring: objects for each piece, which live until the carrier has played it, cost collections of garbage that all calls of
 * the process wait for (docs/decisions/0164-collections-of-garbage-are-heard.md).
 */
export class SoundRing {
  #ring = Buffer.allocUnsafeSlow(minBytes);
  /** Where in the ring the next byte is that is played. */
  #at = 0;
  #waiting = 0;

  /** The bytes that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Copies a piece. */
  add(piece: Uint8Array): void {
    this.#makeRoom(piece.byteLength);
    const end = this.#end;
    const first = Math.min(piece.byteLength, this.#ring.length - end);
    this.#ring.set(piece.subarray(0, first), end);
    if (first < piece.byteLength) this.#ring.set(piece.subarray(first), 0);
    this.#waiting += piece.byteLength;
  }

  /** Decodes a piece. @returns how many bytes it has */
  addBase64(payload: string): number {
    const most = Math.ceil(payload.length * 0.75);
    this.#makeRoom(most);
    const end = this.#end;
    if (most <= this.#ring.length - end) {
      const count = this.#ring.write(payload, end, 'base64');
      this.#waiting += count;
      return count;
    }
    const piece = Buffer.from(payload, 'base64');
    this.add(piece);
    return piece.byteLength;
  }

  /**
   * Takes the bytes that are played next: `count`, or what there is.
   * @param write gets them in their order, as parts of a buffer that are valid until it returns
   */
  play(count: number, write: (bytes: Uint8Array, from: number, count: number) => void): void {
    for (let left = Math.min(count, this.#waiting); left > 0; ) {
      const part = Math.min(left, this.#ring.length - this.#at);
      write(this.#ring, this.#at, part);
      this.skip(part);
      left -= part;
    }
  }

  /** Drops the bytes that are played next: `count`, or what there is. */
  skip(count: number): void {
    const skipped = Math.min(count, this.#waiting);
    this.#waiting -= skipped;
    this.#at = (this.#at + skipped) % this.#ring.length;
    if (this.#waiting === 0) this.drop();
  }

  /** `count` bytes that wait, beginning after the next `offset`, which go on waiting. */
  base64(offset: number, count: number): string {
    const from = (this.#at + offset) % this.#ring.length;
    const first = Math.min(count, this.#ring.length - from);
    if (first === count) return this.#ring.toString('base64', from, from + count);
    const parts = [this.#ring.subarray(from), this.#ring.subarray(0, count - first)];
    return Buffer.concat(parts).toString('base64');
  }

  /** Drops what waits. */
  drop(): void {
    this.#at = 0;
    this.#waiting = 0;
    if (this.#ring.length > maxKeptBytes) this.#ring = Buffer.allocUnsafeSlow(minBytes);
  }

  get #end(): number {
    return (this.#at + this.#waiting) % this.#ring.length;
  }

  #makeRoom(count: number): void {
    const needed = this.#waiting + count;
    let { length } = this.#ring;
    if (needed <= length) return;
    while (length < needed) length *= 2;
    const ring = Buffer.allocUnsafeSlow(length);
    const first = this.#ring.copy(ring, 0, this.#at, Math.min(this.#ring.length, this.#at + this.#waiting));
    this.#ring.copy(ring, first, 0, this.#waiting - first);
    this.#ring = ring;
    this.#at = 0;
  }
}
