import { ProviderBusy, type ProviderName, ProviderRefused, ProviderUnusable } from './failures.js';

export type ProviderCondition = 'usable' | 'busy' | 'unusable';

export interface ProviderStateOptions {
  provider: ProviderName;
  now: () => Date;
  observe?: (provider: ProviderName, condition: ProviderCondition) => void;
}

export const probeEveryMs = 60_000;
const maxPauseMs = 5 * 60_000;

/**
 * A circuit breaker around one provider's account, for one process. After a `ProviderUnusable` about the whole account,
 * one call a minute is let through as a probe; all others fail at once with the same error and the time to retry.
 */
export class ProviderState {
  readonly #options: ProviderStateOptions;
  #shut: { code: string; since: number; until: number } | undefined;

  constructor(options: ProviderStateOptions) {
    this.#options = options;
  }

  /** @throws ProviderUnusable, with the time to retry, when the account cannot be used */
  async call<T>(work: () => Promise<T>): Promise<T> {
    this.#admit();
    try {
      const result = await work();
      this.#open('usable');
      return result;
    } catch (error) {
      throw this.#judge(error);
    }
  }

  /** The first call after a minute goes through, and the following ones wait for another minute. */
  #admit(): void {
    if (this.#shut === undefined) return;
    const now = this.#now();
    if (now < this.#shut.until) throw this.#unusable(this.#shut.code);
    this.#shut.until = now + probeEveryMs;
  }

  #judge(error: unknown): unknown {
    if (error instanceof ProviderUnusable) {
      if (error.details.wholeAccount === false) return error;
      const now = this.#now();
      this.#shut = { code: error.code, since: this.#shut?.since ?? now, until: now + probeEveryMs };
      this.#observe('unusable');
      return this.#unusable(error.code);
    }
    // An unusable account stays unusable until a request is answered.
    if (error instanceof ProviderBusy && this.#shut === undefined) this.#observe('busy');
    if (error instanceof ProviderRefused) this.#open('usable');
    return error;
  }

  #open(condition: ProviderCondition): void {
    this.#shut = undefined;
    this.#observe(condition);
  }

  /** The longer the account has been unusable, the longer callers wait; jitter spreads their retries. */
  #unusable(code: string): ProviderUnusable {
    const { since, until } = this.#shut ?? { since: this.#now(), until: this.#now() };
    const pause = Math.min(Math.max((this.#now() - since) / 4, until - this.#now(), 1_000), maxPauseMs);
    const retryAfterMs = Math.round(pause * (1 + Math.random() / 4));
    return new ProviderUnusable(this.#options.provider, code, { retryAfterMs });
  }

  #observe(condition: ProviderCondition): void {
    this.#options.observe?.(this.#options.provider, condition);
  }

  #now(): number {
    return this.#options.now().getTime();
  }
}
