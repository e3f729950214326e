import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Length of every window, in seconds. */
export const windowSeconds = 60;

const mostNames = 50_000;

/** The state of one name within a quota. */
export interface QuotaStatus {
  quota: string;
  exceeded: boolean;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/**
 * Limits the requests in a window, separately for each name. Counts are kept in this process for the 50,000 most recent
 * names; a name that was dropped starts again at zero.
 */
export class Quota {
  readonly #limiter: RateLimiterMemory;
  readonly #names = new Set<string>();
  readonly #mostNames: number;

  constructor(
    readonly name: string,
    readonly limit: number,
    options: { mostNames?: number } = {},
  ) {
    this.#limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
    this.#mostNames = options.mostNames ?? mostNames;
  }

  /** The number of names that are kept. */
  get size(): number {
    return this.#names.size;
  }

  /** Counts one request. */
  async consume(name: string): Promise<QuotaStatus> {
    if (!this.#names.has(name)) this.#makeRoom();
    const counted = await this.#limiter.penalty(name);
    if (counted.isFirstInDuration) this.#names.delete(name);
    this.#names.add(name);
    return this.#standing(counted, counted.consumedPoints > this.limit);
  }

  /** Returns the state without counting; undefined if nothing was counted in this window. */
  async peek(name: string): Promise<QuotaStatus | undefined> {
    if (!this.#names.has(name)) return undefined;
    const counted = await this.#limiter.get(name);
    if (counted === null || counted.msBeforeNext <= 0) return undefined;
    return this.#standing(counted, counted.consumedPoints >= this.limit);
  }

  #standing(counted: RateLimiterRes, exceeded: boolean): QuotaStatus {
    return {
      quota: this.name,
      exceeded,
      remaining: counted.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
    };
  }

  #makeRoom(): void {
    const [oldest] = this.#names;
    if (oldest === undefined || this.#names.size < this.#mostNames) return;
    this.#names.delete(oldest);
    this.#limiter.delete(oldest);
  }
}
