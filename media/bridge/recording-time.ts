import type { SaidAt } from './ports.js';

/** Turns times of a stream into those of the call's recording, which earlier streams have begun. */
export class RecordingTime {
  readonly #beganAt: number;
  readonly #streamBeganMs: number;

  /** @param beganAt the clock when the stream began */
  constructor(beganAt: number, streamBeganMs: number) {
    this.#beganAt = beganAt;
    this.#streamBeganMs = streamBeganMs;
  }

  /** @returns the milliseconds of the stream at a time of the clock */
  inStream(clockMs: number): number {
    return clockMs - this.#beganAt;
  }

  /** @param startMs of the stream, as `endMs` */
  span(startMs: number, endMs: number): SaidAt {
    const inRecording = (ms: number) => Math.max(0, Math.round(this.#streamBeganMs + ms));
    return { startMs: inRecording(startMs), endMs: inRecording(endMs) };
  }

  /** Between two times of the clock. */
  spanOfClock(startMs: number, endMs: number): SaidAt {
    return this.span(this.inStream(startMs), this.inStream(endMs));
  }
}
