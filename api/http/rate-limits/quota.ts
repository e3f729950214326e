import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../../domain/lib/errors.js';

/** Length of every window. */
const windowSeconds = 60;

/** The state of one name within a quota. */
export interface QuotaStatus {
  quota: string;
  limit: number;
  exceeded: boolean;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/**
 * Limits the requests in a window, for each of the most recent names; one that was dropped starts again at zero. Without a
 * limit (0) nothing is counted.
 */
export class Quota {
  readonly #limiter: RateLimiterMemory;
  readonly #names = new Set<string>();

  constructor(
    readonly name: string,
    readonly limit: number,
    readonly maxNames = 50_000,
  ) {
    this.#limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  }

  /** The number of names that are kept. */
  get size(): number {
    return this.#names.size;
  }

  async consume(name: string): Promise<QuotaStatus | undefined> {
    if (this.limit === 0) return undefined;
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
      limit: this.limit,
      exceeded,
      remaining: counted.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
    };
  }

  #makeRoom(): void {
    const [oldest] = this.#names;
    if (oldest === undefined || this.#names.size < this.maxNames) return;
    this.#names.delete(oldest);
    this.#limiter.delete(oldest);
  }
}

/** Reports the quotas of a request in headers. @throws TooManyRequests when one is exceeded */
export function reportQuotas(
  ctx: { set(headers: Record<string, string>): void },
  standings: readonly QuotaStatus[],
): void {
  ctx.set(rateLimitHeaders(standings));
  checkQuotas(standings);
}

/** The headers about the quotas of a request (draft-ietf-httpapi-ratelimit-headers-10); none if nothing is limited. */
function rateLimitHeaders(standings: readonly QuotaStatus[]): Record<string, string> {
  if (standings.length === 0) return {};
  const rests = standings.map(({ quota, remaining, resetSeconds: t }) => `"${quota}";r=${remaining};t=${t}`);
  const policies = standings.map(({ quota, limit }) => `"${quota}";q=${limit};w=${windowSeconds}`);
  return { RateLimit: rests.join(', '), 'RateLimit-Policy': policies.join(', ') };
}

/** @throws TooManyRequests when one of the quotas is exceeded */
export function checkQuotas(standings: readonly QuotaStatus[]): void {
  for (const standing of standings) refuseBeyond(standing, `Too many requests of this ${standing.quota}.`);
}

/** @throws TooManyRequests when the quota is exceeded */
export function refuseBeyond(standing: QuotaStatus | undefined, message: string): void {
  if (standing?.exceeded !== true) return;
  const { resetSeconds } = standing;
  throw new TooManyRequests(`${message} Try again in ${resetSeconds} s.`, resetSeconds);
}
