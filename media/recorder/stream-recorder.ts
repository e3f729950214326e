import { SoundRing } from '../sound/sound-ring.js';
import { StreamClock } from './stream-clock.js';
import { type Segment, Tape } from './tape.js';

/** µ-law at 8 kHz: a byte is a frame of one channel. */
export const framesPerMs = 8;
/** A crash loses what is not stored: this much, and the margin below. */
const segmentMs = 30_000;
/** Frames that arrive later than this after the end of a segment are missing from it. */
const lateMs = 2_000;
/** What a carrier was sent and has not played: more is not kept. */
const maxWaitingMs = 600_000;

export interface StreamRecorderOptions {
  /** Milliseconds, monotonic. */
  now: () => number;
  /** When the stream began; absent: now. */
  beganMs?: number;
  /**
   * Called in order, without waiting for the one before. Does not fail.
   * @param release takes the bytes of the segment when they are not read any more: a later segment is written to them
   */
  store: (segment: Segment, release: (bytes: Buffer) => void) => Promise<void>;
  segmentMs?: number;
}

/**
 * Records a stream on two channels that are in step: the caller by the carrier's timestamps, the agent where the carrier
 * plays it, which is after what it was sent before. A payload is interleaved as it is heard or played, twenty
 * milliseconds at a time, so that nothing else waits for a whole segment.
 */
export class StreamRecorder {
  readonly #clock: StreamClock;
  readonly #tape: Tape;
  readonly #playback = new SoundRing();
  readonly #store: StreamRecorderOptions['store'];
  readonly #storing = new Set<Promise<void>>();
  /** Decodes what is heard, again and again. */
  #scratch = Buffer.allocUnsafeSlow(1_024);
  /** The position up to which what the carrier played is written. */
  #played = 0;
  #isFinished = false;
  #finished: Promise<void> | undefined;

  constructor({ now, beganMs, store, segmentMs: length = segmentMs }: StreamRecorderOptions) {
    this.#clock = new StreamClock(now, beganMs);
    this.#tape = new Tape(length * framesPerMs);
    this.#store = store;
  }

  /** @param payload base64 @param timestampMs the carrier's, from the beginning of the stream */
  heard(payload: string, timestampMs: number): void {
    if (this.#isFinished) return;
    const count = this.#decode(payload);
    const beginsMs = this.#clock.place(timestampMs, count / framesPerMs);
    this.#tape.write(0, Math.round(beginsMs * framesPerMs), this.#scratch, 0, count);
    this.tick();
  }

  /** The carrier is sent audio. */
  spoke(payload: string): void {
    if (this.#isFinished) return;
    this.#play();
    if (this.#playback.waiting > maxWaitingMs * framesPerMs) return;
    this.#playback.addBase64(payload);
  }

  /** @returns how many bytes of the scratch buffer are the payload's */
  #decode(payload: string): number {
    const most = Math.ceil(payload.length * 0.75);
    if (most > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(most);
    return this.#scratch.write(payload, 'base64');
  }

  /** The carrier is told to drop what it has not played. */
  cleared(): void {
    if (this.#isFinished) return;
    this.#play();
    this.#playback.drop();
  }

  /** Writes what was played by now, and stores the segments that nothing can be added to. */
  tick(): void {
    if (this.#isFinished) return;
    this.#play();
    const until = (this.#clock.elapsedMs - lateMs) * framesPerMs;
    for (const segment of this.#tape.takeUntil(Math.min(until, this.#played))) this.#keep(segment);
  }

  /** The stream has ended: what was not played by now never is. Resolves when all segments are stored or given up. */
  finish(): Promise<void> {
    this.#finished ??= this.#end();
    return this.#finished;
  }

  async #end(): Promise<void> {
    this.#stop();
    await Promise.all(this.#storing);
  }

  /** A function of its own: one that awaits the storage would refer to the last segment until then. */
  #stop(): void {
    this.#play();
    this.#isFinished = true;
    this.#playback.drop();
    for (const segment of this.#tape.takeRest()) this.#keep(segment);
  }

  #play(): void {
    const now = Math.floor(this.#clock.elapsedMs * framesPerMs);
    if (now <= this.#played) return;
    this.#playback.play(now - this.#played, this.#writePlayed);
    this.#played = now;
    this.#tape.extend(now);
  }

  readonly #writePlayed = (bytes: Uint8Array, from: number, count: number): void => {
    this.#tape.write(1, this.#played, bytes, from, count);
    this.#played += count;
  };

  readonly #release = (bytes: Buffer): void => {
    if (!this.#isFinished) this.#tape.reuse(bytes);
  };

  #keep(segment: Segment): void {
    const storing = this.#store(segment, this.#release).finally(() => this.#storing.delete(storing));
    this.#storing.add(storing);
  }
}
