import { silenceByte } from '../../domain/calls/recordings/wav.js';

/** What the caller says is on the left channel, what the agent says on the right one. */
export type Channel = 0 | 1;

/** A part of a recording: a byte of each channel by turns. */
export interface Segment {
  /** 1, 2, 3 … */
  number: number;
  /** The position of its first frame (a byte of each channel) in the stream. */
  start: number;
  frames: number;
  bytes: Buffer;
}

/** Two channels that are written at any position and leave as segments of equal length, with silence where nothing was. */
export class Tape {
  readonly #frames: number;
  /** Segments that are still written to, in order. */
  #open: Segment[] = [];
  /** How many segments have left. */
  #left = 0;
  /** The position after the last frame. */
  #end = 0;
  /** Memory of a segment that was taken away, for a later one. */
  #spare: Buffer | undefined;

  /** @param framesOfSegment how many frames a segment has */
  constructor(framesOfSegment: number) {
    this.#frames = framesOfSegment;
  }

  /** Extends the recording, with silence for now. */
  extend(end: number): void {
    if (end <= this.#end) return;
    this.#end = end;
    const needed = Math.ceil(end / this.#frames) - this.#left;
    while (this.#open.length < needed) {
      const number = this.#left + this.#open.length + 1;
      const bytes = (this.#spare ?? Buffer.allocUnsafeSlow(2 * this.#frames)).fill(silenceByte);
      this.#spare = undefined;
      this.#open.push({ number, start: (number - 1) * this.#frames, frames: this.#frames, bytes });
    }
  }

  /** Writes `count` of the bytes, beginning with the one at `first`. What falls into a segment that has left is lost. */
  write(
    channel: Channel,
    position: number,
    bytes: Uint8Array,
    first = 0,
    count = bytes.byteLength - first,
  ): void {
    this.extend(position + count);
    for (let from = Math.max(0, this.#left * this.#frames - position); from < count; ) {
      const at = position + from;
      const segment = this.#open[Math.floor(at / this.#frames) - this.#left];
      if (segment === undefined) return;
      const offset = at - segment.start;
      const length = Math.min(count - from, this.#frames - offset);
      const to = segment.bytes;
      for (let index = 0, place = 2 * offset + channel; index < length; index += 1, place += 2) {
        to[place] = bytes[first + from + index] as number;
      }
      from += length;
    }
  }

  /** Takes away the segments that end at a position or before. */
  takeUntil(position: number): Segment[] {
    const whole = Math.min(Math.floor(position / this.#frames) - this.#left, this.#open.length);
    if (whole <= 0) return [];
    this.#left += whole;
    return this.#open.splice(0, whole);
  }

  /** Takes back the memory of a segment that was taken away and is not read any more. */
  reuse(bytes: Buffer): void {
    if (bytes.byteLength === 2 * this.#frames) this.#spare = bytes;
  }

  /** Takes away the rest, the last segment only as far as it was written, and keeps no memory for later ones. */
  takeRest(): Segment[] {
    this.#spare = undefined;
    const rest = this.#open.splice(0);
    this.#left += rest.length;
    return rest.map((segment) => {
      const frames = Math.min(segment.frames, this.#end - segment.start);
      return { ...segment, frames, bytes: segment.bytes.subarray(0, 2 * frames) };
    });
  }
}
