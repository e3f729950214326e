/** A frame whose timestamp is further than this from what the clock says has a timestamp of another kind. */
const maxDeviationMs = 5_000;
const windowMs = 5_000;

/**
 * The time of a carrier's stream, as milliseconds from its beginning, at moments of this process. Frames arrive late by
 * varying amounts and never early, so the one that took the least time of the last seconds tells the offset between the
 * two clocks, and their drift is followed.
 */
export class StreamClock {
  readonly #now: () => number;
  /** What is added to the carrier's timestamps: 0, unless they do not count from the beginning of the stream. */
  #shiftMs = 0;
  /** The least offsets of this window and of the one before. */
  #offsets: { sinceMs: number; current: number; before: number };

  /** @param now milliseconds, monotonic @param begin when the stream began */
  constructor(now: () => number, begin: number = now()) {
    this.#now = now;
    this.#offsets = { sinceMs: begin, current: begin, before: begin };
  }

  /** The time of the stream at this moment. It may go back by a little. */
  get elapsedMs(): number {
    return Math.max(0, this.#now() - Math.min(this.#offsets.current, this.#offsets.before));
  }

  /** Takes a frame that arrives now. @returns the time of the stream at which it begins */
  place(timestampMs: number, durationMs: number): number {
    const now = this.#now();
    const latest = this.elapsedMs - durationMs;
    if (!(Math.abs(timestampMs + this.#shiftMs - latest) <= maxDeviationMs)) {
      this.#shiftMs = Number.isFinite(timestampMs) ? latest - timestampMs : 0;
      return Math.max(0, latest);
    }
    const beginsMs = timestampMs + this.#shiftMs;
    const offset = now - (beginsMs + durationMs);
    const { sinceMs, current } = this.#offsets;
    if (now - sinceMs >= windowMs) this.#offsets = { sinceMs: now, current: offset, before: current };
    else if (offset < current) this.#offsets.current = offset;
    return Math.max(0, beginsMs);
  }
}
