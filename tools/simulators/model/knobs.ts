import { seededRandom } from '../support/random.js';
import { objectWith } from '../support/read-json.js';

/** Described in `tools/simulators/README.md`. */
const DEFAULTS = {
  latencyMs: 0,
  tokenDelayMs: 0,
  failRate: 0,
  failStatus: 503,
  retryAfterSeconds: 0,
  followUpRate: 0,
  seed: 1,
};

export class Knobs {
  values = { ...DEFAULTS };
  #random = seededRandom(DEFAULTS.seed);

  turn(body: unknown): typeof DEFAULTS {
    const given = objectWith(body, Object.keys(DEFAULTS)) as Partial<typeof DEFAULTS>;
    this.values = { ...this.values, ...given };
    if (given.seed !== undefined) this.#random = seededRandom(given.seed);
    return this.values;
  }

  reset(): void {
    this.values = { ...DEFAULTS };
    this.#random = seededRandom(DEFAULTS.seed);
  }

  failsNext(): boolean {
    return this.#happens(this.values.failRate);
  }

  followsUpNext(): boolean {
    return this.#happens(this.values.followUpRate);
  }

  #happens(rate: number): boolean {
    return rate > 0 && this.#random() < rate;
  }
}
