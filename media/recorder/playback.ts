/**
 * The audio that a carrier was sent and has not played yet. A carrier plays in the order of sending, one byte of µ-law
 * after the other, and drops the rest when it is told to.
 */
export class Playback {
  #pieces: Uint8Array[] = [];
  /** The bytes of the first piece that were played. */
  #played = 0;
  #waiting = 0;

  /** The bytes that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Keeps the piece; the caller does not change it afterwards. */
  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.#pieces.push(piece);
    this.#waiting += piece.byteLength;
  }

  /** The bytes that are played next, in pieces: `count`, or what there is. */
  play(count: number): Uint8Array[] {
    const played: Uint8Array[] = [];
    let [left, taken] = [Math.min(count, this.#waiting), 0];
    this.#waiting -= left;
    for (const piece of this.#pieces) {
      if (left === 0) break;
      const part = piece.subarray(this.#played, this.#played + left);
      played.push(part);
      left -= part.byteLength;
      this.#played += part.byteLength;
      if (this.#played < piece.byteLength) break;
      this.#played = 0;
      taken += 1;
    }
    if (taken > 0) this.#pieces = this.#pieces.slice(taken);
    return played;
  }

  /** Drops what waits. */
  drop(): void {
    this.#pieces = [];
    this.#played = 0;
    this.#waiting = 0;
  }
}
