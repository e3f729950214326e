import { SeededDraws } from '../support/chance.js';
import { objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';
import { isWithin, type Mishap, readMishap } from './mishap.js';

export interface KnobValues {
  /** Milliseconds before each answer. */
  latencyMs: number;
  /** The possible faults; the first one whose chance applies is used. */
  mishaps: readonly Mishap[];
}

const DEFAULTS: KnobValues = { latencyMs: 0, mishaps: [] };
const FIELDS = ['latencyMs', 'mishaps', 'seed', 'name'];

/** The faults of all receivers, or of the one with a given name. */
export class Knobs {
  #everyone: Partial<KnobValues> = {};
  readonly #named = new Map<string, Partial<KnobValues>>();
  readonly #draws = new SeededDraws();

  /**
   * Sets the given knobs; with `name`, only for that receiver.
   * @throws HttpFailure 400
   */
  turn(body: unknown): KnobValues {
    const { seed, name, ...given } = objectWith(body, FIELDS);
    const values = readValues(given);
    if (typeof seed === 'number') this.#draws.reseed(seed);
    if (typeof name === 'string') this.#named.set(name, { ...this.#named.get(name), ...values });
    else this.#everyone = { ...this.#everyone, ...values };
    return this.of(typeof name === 'string' ? name : undefined);
  }

  reset(): void {
    this.#everyone = {};
    this.#named.clear();
    this.#draws.reseed(1);
  }

  /** The current knobs of a receiver. */
  of(name: string | undefined): KnobValues {
    const own = name === undefined ? undefined : this.#named.get(name);
    return { ...DEFAULTS, ...this.#everyone, ...own };
  }

  /** The fault for the next webhook to this receiver, if any; decrements counts. */
  nextMishap(name: string): Mishap | undefined {
    return this.of(name).mishaps.find((mishap, index) => this.#happens(mishap, `${index} ${name}`));
  }

  #happens(mishap: Mishap, key: string): boolean {
    const { chance } = mishap;
    if (typeof chance === 'boolean') return chance;
    if (chance < 1) return this.#draws.next(key) < chance;
    mishap.chance = chance - 1;
    return true;
  }
}

function readValues({ latencyMs, mishaps }: Record<string, unknown>): Partial<KnobValues> {
  if (latencyMs !== undefined && !isWithin(latencyMs, 0, 60_000)) {
    throw new HttpFailure(400, { error: 'latencyMs has to be a number of milliseconds up to 60000.' });
  }
  if (mishaps !== undefined && !Array.isArray(mishaps)) {
    throw new HttpFailure(400, { error: 'mishaps has to be a list.' });
  }
  return {
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(mishaps === undefined ? {} : { mishaps: mishaps.map(readMishap) }),
  };
}
