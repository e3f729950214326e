import { setTimeout as delay } from 'node:timers/promises';

const keptMs = 1_000;
/** Longer than a check of Temporal takes: a check given up earlier would still be open when the process stops. */
const patienceMs = 3_000;

/**
 * Checks whether a dependency responds: at most once a second for all callers together, and for at most three seconds.
 */
export class Probe {
  readonly #look: () => Promise<boolean>;
  #answer: Promise<boolean> | undefined;

  constructor(look: () => Promise<boolean>) {
    this.#look = look;
  }

  /** Whether the dependency responds, or did within the last second. An error or a timeout counts as no response. */
  answers(): Promise<boolean> {
    this.#answer ??= this.#lookOnce();
    return this.#answer;
  }

  async #lookOnce(): Promise<boolean> {
    const over = new AbortController();
    const looked = this.#look().catch(() => false);
    const silent = delay(patienceMs, false, { signal: over.signal }).catch(() => false);
    const answer = await Promise.race([looked, silent]);
    over.abort();
    setTimeout(() => {
      this.#answer = undefined;
    }, keptMs).unref();
    return answer;
  }
}
