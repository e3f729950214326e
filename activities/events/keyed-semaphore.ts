interface Lane {
  /** When those who are in came in, the first of them first. */
  entered: Set<{ at: number }>;
  /** In the order in which they came. */
  waiting: Set<() => void>;
}

export interface AcquireOptions {
  /** How long to wait at most, in milliseconds. */
  timeoutMs: number;
  /**
   * How long it takes on average until somebody leaves, as far as is known: where those who are in take longer, that tells
   * more. Who cannot hope for a turn in time does not wait.
   */
  expectedWaitMs: number;
  signal: AbortSignal;
}

/** Lets so many in at a time for each key, in the order in which they came. */
export class KeyedSemaphore {
  readonly #width: number;
  readonly #lanes = new Map<string, Lane>();

  constructor(width: number) {
    this.#width = width;
  }

  /** Keys that somebody is in, or waits for. */
  get size(): number {
    return this.#lanes.size;
  }

  /** @returns how to leave again; undefined when there was no room in time, or no use in waiting */
  async acquire(
    key: string,
    { timeoutMs, expectedWaitMs, signal }: AcquireOptions,
  ): Promise<(() => void) | undefined> {
    const lane = this.#lanes.get(key) ?? { entered: new Set(), waiting: new Set() };
    this.#lanes.set(key, lane);
    if (lane.entered.size < this.#width) return this.#comingIn(key, lane);
    const likelyMs = Math.max(expectedWaitMs, this.#longestIn(lane) / this.#width);
    if (signal.aborted || (lane.waiting.size + 1) * likelyMs > timeoutMs) return undefined;
    return new Promise((resolve) => {
      const settle = (leave: (() => void) | undefined): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        lane.waiting.delete(comeIn);
        resolve(leave);
      };
      const comeIn = () => settle(this.#comingIn(key, lane));
      const giveUp = () => settle(undefined);
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener('abort', giveUp, { once: true });
      lane.waiting.add(comeIn);
    });
  }

  /**
   * Whoever leaves lets the next one in, in the same moment: nobody gets ahead of those who wait.
   *
   * @returns how to leave again
   */
  #comingIn(key: string, lane: Lane): () => void {
    const place = { at: performance.now() };
    lane.entered.add(place);
    return () => {
      if (!lane.entered.delete(place)) return;
      const [next] = lane.waiting;
      if (next !== undefined) next();
      else if (lane.entered.size === 0) this.#lanes.delete(key);
    };
  }

  /** For how long whoever came in first has been in, in milliseconds. */
  #longestIn({ entered }: Lane): number {
    const [first] = entered;
    return first === undefined ? 0 : performance.now() - first.at;
  }
}
