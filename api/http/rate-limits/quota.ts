import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Length of every window, in seconds. */
export const windowSeconds = 60;

const mostNames = 50_000;

/** Where somebody stands within a quota. */
export interface QuotaStatus {
  quota: string;
  exceeded: boolean;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/**
 * How many requests there may be in a window, for each name by itself. Counts are kept in this process, for the
 * 50,000 names that came last: whoever is forgotten begins anew.
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

  /** How many names are remembered. */
  get size(): number {
    return this.#names.size;
  }

  /** Counts one more. */
  async consume(name: string): Promise<QuotaStatus> {
    if (!this.#names.has(name)) this.#makeRoom();
    const counted = await this.#limiter.penalty(name);
    if (counted.isFirstInDuration) this.#names.delete(name);
    this.#names.add(name);
    return this.#standing(counted, counted.consumedPoints > this.limit);
  }

  /** Where they stand, counting nothing; undefined when nothing was counted in this window. */
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
