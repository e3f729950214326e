/** What a stream was sent to play: audio and marks in order. A mark is reached once all audio before it was played. */
export class Playback {
  #queue: (Buffer | { mark: string })[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(audio: Buffer): void {
    this.#queue.push(audio);
    this.#bytes += audio.length;
  }

  /** Marks that are reached at once, because nothing is left to play before them. */
  mark(name: string): string[] {
    this.#queue.push({ mark: name });
    return this.#reached();
  }

  /** Drops what is left to play. */
  clear(): { bytes: number; marks: string[] } {
    const marks = this.#queue.flatMap((item) => ('mark' in item ? [item.mark] : []));
    const bytes = this.#bytes;
    this.#queue = [];
    this.#bytes = 0;
    return { bytes, marks };
  }

  /** Plays up to so many bytes. */
  play(bytes: number): { audio: Buffer; marks: string[] } {
    const parts: Buffer[] = [];
    let missing = bytes;
    const marks = this.#reached();
    while (missing > 0) {
      const next = this.#queue[0];
      if (next === undefined || 'mark' in next) break;
      const part = next.subarray(0, missing);
      parts.push(part);
      missing -= part.length;
      if (part.length === next.length) this.#queue.shift();
      else this.#queue[0] = next.subarray(part.length);
      marks.push(...this.#reached());
    }
    const audio = Buffer.concat(parts);
    this.#bytes -= audio.length;
    return { audio, marks };
  }

  #reached(): string[] {
    const marks: string[] = [];
    for (let next = this.#queue[0]; next !== undefined && 'mark' in next; next = this.#queue[0]) {
      marks.push(next.mark);
      this.#queue.shift();
    }
    return marks;
  }
}
