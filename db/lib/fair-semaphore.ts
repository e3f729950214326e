export interface FairSemaphoreOptions {
  /** Total number of permits: the connections of the pool. */
  size: number;
  /** Maximum number of permits that one holder has at once. */
  maxPerHolder: number;
  /** Maximum number of requests of one holder that wait at once. */
  maxWaiting?: number;
  /** How long each request waits at most, in milliseconds. */
  timeoutMs: number;
}

interface Waiter {
  holders: readonly string[];
  resolve: () => void;
  reject: (reason: Error) => void;
  timer: NodeJS.Timeout;
}

/** A holder requests more connections at once than its share. */
export class ShareExceeded extends Error {
  override readonly name = 'ShareExceeded';
  readonly code = 'share_exceeded';

  constructor() {
    super('too many requests at once');
  }
}

/** All connections are in use, and none became free in time. */
export class ConnectionsBusy extends Error {
  override readonly name = 'ConnectionsBusy';
  /** SQLSTATE `too_many_connections`. */
  readonly code = '53300';

  constructor() {
    super('no connection became free in time');
  }
}

/**
 * Shares the connections of a pool: each holder (a workspace, an account) has a limited part of them, and a free one
 * goes to the waiting request whose holders have the fewest. A holder with many requests does not make the others wait.
 */
export class FairSemaphore {
  readonly #options: Required<FairSemaphoreOptions>;
  readonly #inUse = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  #taken = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = { maxWaiting: 200, ...options };
  }

  /** Waits for a permit. The returned function releases it. @throws ShareExceeded, ConnectionsBusy */
  async acquire(holders: readonly string[]): Promise<() => void> {
    if (!this.#isFree(holders)) await this.#wait(holders);
    else this.#begin(holders);
    return () => this.#end(holders);
  }

  #wait(holders: readonly string[]): Promise<void> {
    const { maxWaiting, timeoutMs } = this.#options;
    if (holders.some((holder) => countOf(this.#waitingOf, holder) >= maxWaiting)) throw new ShareExceeded();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        holders,
        resolve,
        reject,
        timer: setTimeout(() => {
          this.#leave(waiter);
          reject(this.#hasRoom(holders) ? new ConnectionsBusy() : new ShareExceeded());
        }, timeoutMs),
      };
      this.#waiting.push(waiter);
      for (const holder of holders) add(this.#waitingOf, holder, 1);
    });
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
    for (const holder of waiter.holders) add(this.#waitingOf, holder, -1);
  }

  #begin(holders: readonly string[]): void {
    this.#taken += 1;
    for (const holder of holders) add(this.#inUse, holder, 1);
  }

  #end(holders: readonly string[]): void {
    this.#taken -= 1;
    for (const holder of holders) add(this.#inUse, holder, -1);
    const next = this.#next();
    if (next === undefined) return;
    this.#leave(next);
    this.#begin(next.holders);
    next.resolve();
  }

  #next(): Waiter | undefined {
    let chosen: Waiter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiting) {
      const load = Math.max(0, ...waiter.holders.map((holder) => countOf(this.#inUse, holder)));
      if (load >= this.#options.maxPerHolder || load >= fewest) continue;
      chosen = waiter;
      fewest = load;
    }
    return chosen;
  }

  #isFree(holders: readonly string[]): boolean {
    return this.#taken < this.#options.size && this.#hasRoom(holders);
  }

  #hasRoom(holders: readonly string[]): boolean {
    return holders.every((holder) => countOf(this.#inUse, holder) < this.#options.maxPerHolder);
  }
}

function countOf(counts: ReadonlyMap<string, number>, holder: string): number {
  return counts.get(holder) ?? 0;
}

function add(counts: Map<string, number>, holder: string, change: number): void {
  const count = countOf(counts, holder) + change;
  if (count === 0) counts.delete(holder);
  else counts.set(holder, count);
}
