interface Slots {
  /** When each slot was taken, the earliest first. */
  held: Set<{ at: number }>;
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
  readonly width: number;
  readonly #slots = new Map<string, Slots>();

  constructor(width: number) {
    this.width = width;
  }

  /** Number of keys with holders or waiters. */
  get size(): number {
    return this.#slots.size;
  }

  /** @returns a function that releases the slot; undefined if none became free in time, or waiting was pointless */
  async acquire(
    key: string,
    { timeoutMs, expectedWaitMs, signal }: AcquireOptions,
  ): Promise<(() => void) | undefined> {
    const slots = this.#slots.get(key) ?? { held: new Set(), waiting: new Set() };
    this.#slots.set(key, slots);
    if (slots.held.size < this.width) return this.#take(key, slots);
    const likelyMs = Math.max(expectedWaitMs, this.#longestHeld(slots) / this.width);
    if (signal.aborted || (slots.waiting.size + 1) * likelyMs > timeoutMs) return undefined;
    return new Promise((resolve) => {
      const settle = (release: (() => void) | undefined): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        slots.waiting.delete(take);
        resolve(release);
      };
      const take = () => settle(this.#take(key, slots));
      const giveUp = () => settle(undefined);
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener('abort', giveUp, { once: true });
      slots.waiting.add(take);
    });
  }

  /** Takes a slot. Releasing it hands it to the next waiter at once, so that new callers cannot overtake. */
  #take(key: string, slots: Slots): () => void {
    const slot = { at: performance.now() };
    slots.held.add(slot);
    return () => {
      if (!slots.held.delete(slot)) return;
      const [next] = slots.waiting;
      if (next !== undefined) next();
      else if (slots.held.size === 0) this.#slots.delete(key);
    };
  }

  #longestHeld({ held }: Slots): number {
    const [first] = held;
    return first === undefined ? 0 : performance.now() - first.at;
  }
}
