interface Lane {
  /** When each holder entered, the earliest first. */
  entered: Set<{ at: number }>;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

export interface AcquireOptions {
  timeoutMs: number;
  /** The known average time until a slot becomes free. A caller that is unlikely to get one in time does not wait. */
  expectedWaitMs: number;
  signal: AbortSignal;
}

/** A semaphore per key with `width` slots, first come, first served. */
export class KeyedSemaphore {
  readonly #width: number;
  readonly #lanes = new Map<string, Lane>();

  constructor(width: number) {
    this.#width = width;
  }

  /** Number of keys with holders or waiters. */
  get size(): number {
    return this.#lanes.size;
  }

  /** @returns a function that releases the slot; undefined if none became free in time, or waiting was pointless */
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

  /** Takes a slot. Releasing it hands it to the next waiter at once, so that new callers cannot overtake. */
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

  #longestIn({ entered }: Lane): number {
    const [first] = entered;
    return first === undefined ? 0 : performance.now() - first.at;
  }
}
