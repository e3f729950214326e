interface Lane {
  busy: number;
  /** In the order in which they came. */
  waiting: Set<() => void>;
}

export interface Patience {
  /** How long to wait at most, in milliseconds. */
  withinMs: number;
  /** How long it takes on average until somebody leaves; who cannot hope for a turn in time does not wait. */
  turnMs: number;
  signal: AbortSignal;
}

/** Lets so many in at a time for each key, in the order in which they came. */
export class Lanes {
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
  async enter(key: string, { withinMs, turnMs, signal }: Patience): Promise<(() => void) | undefined> {
    const lane = this.#lanes.get(key) ?? { busy: 0, waiting: new Set() };
    this.#lanes.set(key, lane);
    if (lane.busy < this.#width) {
      lane.busy += 1;
      return this.#leaving(key, lane);
    }
    if (signal.aborted || (lane.waiting.size + 1) * turnMs > withinMs) return undefined;
    const isIn = await new Promise<boolean>((resolve) => {
      const settle = (entered: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        lane.waiting.delete(comeIn);
        resolve(entered);
      };
      const comeIn = () => settle(true);
      const giveUp = () => settle(false);
      const timer = setTimeout(giveUp, withinMs);
      signal.addEventListener('abort', giveUp, { once: true });
      lane.waiting.add(comeIn);
    });
    return isIn ? this.#leaving(key, lane) : undefined;
  }

  /** Whoever leaves lets the next one in, in the same moment: nobody gets ahead of those who wait. */
  #leaving(key: string, lane: Lane): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = lane.waiting;
      if (next !== undefined) {
        next();
        return;
      }
      lane.busy -= 1;
      if (lane.busy === 0) this.#lanes.delete(key);
    };
  }
}
