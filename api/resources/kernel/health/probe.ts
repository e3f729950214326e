import { setTimeout as delay } from 'node:timers/promises';

const keptMs = 1_000;
/** Longer than a look at Temporal takes by itself: what is given up earlier would still be open when the process stops. */
const patienceMs = 3_000;

/** Looks whether something answers: once a second at most, however many ask, and for three seconds at most. */
export class Probe {
  readonly #look: () => Promise<boolean>;
  #answer: Promise<boolean> | undefined;

  constructor(look: () => Promise<boolean>) {
    this.#look = look;
  }

  /** Whether it answers, or did within the last second; what fails or stays silent does not. */
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
