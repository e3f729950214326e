/** Enough for a second; kept for the whole call. */
const leastBytes = 8_192;
/** What is larger is given back once nothing waits. */
const mostKeptBytes = 65_536;

/**
 * The audio that a carrier was sent and has not played yet. A carrier plays in the order of sending, one byte of µ-law
 * after the other, and drops the rest when it is told to. The bytes are copied into one ring: objects for each piece, which live for as
 * long as a second, cost collections of garbage that all calls of the process wait for.
 */
export class Playback {
  #ring = Buffer.allocUnsafeSlow(leastBytes);
  /** Where in the ring the next byte is that is played. */
  #at = 0;
  #waiting = 0;

  /** The bytes that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Copies the first `count` bytes of a piece. */
  add(piece: Uint8Array, count = piece.byteLength): void {
    const needed = this.#waiting + count;
    if (needed > this.#ring.length) this.#grow(needed);
    const end = (this.#at + this.#waiting) % this.#ring.length;
    const first = Math.min(count, this.#ring.length - end);
    this.#ring.set(piece.subarray(0, first), end);
    if (first < count) this.#ring.set(piece.subarray(first, count), 0);
    this.#waiting = needed;
  }

  /**
   * Takes the bytes that are played next: `count`, or what there is.
   * @param write gets them in their order, as parts of a buffer that are valid until it returns
   */
  play(count: number, write: (bytes: Uint8Array, from: number, count: number) => void): void {
    for (let left = Math.min(count, this.#waiting); left > 0; ) {
      const part = Math.min(left, this.#ring.length - this.#at);
      write(this.#ring, this.#at, part);
      this.#at = (this.#at + part) % this.#ring.length;
      this.#waiting -= part;
      left -= part;
    }
    if (this.#waiting === 0) this.drop();
  }

  /** Drops what waits. */
  drop(): void {
    this.#at = 0;
    this.#waiting = 0;
    if (this.#ring.length > mostKeptBytes) this.#ring = Buffer.allocUnsafeSlow(leastBytes);
  }

  #grow(needed: number): void {
    let { length } = this.#ring;
    while (length < needed) length *= 2;
    const ring = Buffer.allocUnsafeSlow(length);
    const first = this.#ring.copy(ring, 0, this.#at, Math.min(this.#ring.length, this.#at + this.#waiting));
    this.#ring.copy(ring, first, 0, this.#waiting - first);
    this.#ring = ring;
    this.#at = 0;
  }
}
