import { seededRandom } from '../support/random.js';
import { objectWith } from '../support/read-json.js';

const FIELDS = [
  'latencyMs',
  'tokenDelayMs',
  'failRate',
  'failStatus',
  'retryAfterSeconds',
  'followUpRate',
  'seed',
] as const;
type Field = (typeof FIELDS)[number];

const DEFAULTS: Record<Field, number> = {
  /** Before every answer. */
  latencyMs: 0,
  /** Between two pieces of a streamed answer. */
  tokenDelayMs: 0,
  /** The part of requests that fail, 0 to 1. */
  failRate: 0,
  failStatus: 503,
  /** Sent with failures, unless 0. */
  retryAfterSeconds: 0,
  /** The part of turns, 0 to 1, in which a follow-up is scheduled where that may be. */
  followUpRate: 0,
  /** Which requests fail repeats with it. */
  seed: 1,
};

/** How the simulated service misbehaves. */
export class Knobs {
  values = { ...DEFAULTS };
  #random = seededRandom(DEFAULTS.seed);

  /** Turns the given knobs and leaves the others. */
  turn(body: unknown): Record<Field, number> {
    const given = objectWith(body, FIELDS) as Partial<Record<Field, number>>;
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
