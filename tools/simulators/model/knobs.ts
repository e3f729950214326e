import { seededRandom } from '../support/random.js';
import { objectWith } from '../support/read-json.js';

const DEFAULTS = {
  /** Delay before every answer. */
  latencyMs: 0,
  /** Delay between two pieces of a streamed answer. */
  tokenDelayMs: 0,
  /** The share of requests that fail, 0 to 1. */
  failRate: 0,
  failStatus: 503,
  /** The `Retry-After` header of failures; 0 omits it. */
  retryAfterSeconds: 0,
  /** The share of turns, 0 to 1, that schedule a follow-up if the tool is offered. */
  followUpRate: 0,
  /** The same seed makes the same requests fail. */
  seed: 1,
};

type KnobValues = typeof DEFAULTS;

/** The faults of the simulated service. */
export class Knobs {
  values = { ...DEFAULTS };
  #random = seededRandom(DEFAULTS.seed);

  /** Sets the given knobs and keeps the others. */
  turn(body: unknown): KnobValues {
    const given = objectWith(body, Object.keys(DEFAULTS)) as Partial<KnobValues>;
    this.values = { ...this.values, ...given };
    if (given.seed !== undefined) this.#random = seededRandom(given.seed);
    return this.values;
  }

  reset(): void {
    this.values = { ...DEFAULTS };
    this.#random = seededRandom(DEFAULTS.seed);
  }

  /** Whether the next request fails. */
  failsNext(): boolean {
    return this.#happens(this.values.failRate);
  }

  /** Whether a follow-up is scheduled in the turn that begins. */
  followsUpNext(): boolean {
    return this.#happens(this.values.followUpRate);
  }

  #happens(rate: number): boolean {
    return rate > 0 && this.#random() < rate;
  }
}
