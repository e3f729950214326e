import { type Chance, isChance, SeededDraws } from '../support/random.js';
import { isObject, objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';

const ways = ['status', 'redirect', 'hang', 'reset', 'garbage', 'huge', 'drip'] as const;

/** A fault in answering webhooks; its fields are described in `tools/simulators/README.md`. */
export interface Mishap {
  answer: (typeof ways)[number];
  chance: Chance;
  status?: number;
  retryAfter?: string;
  location?: string;
  bytes?: number;
  everyMs?: number;
}

const mishapFields = ['answer', 'chance', 'status', 'retryAfter', 'location', 'bytes', 'everyMs'];

export interface KnobValues {
  latencyMs: number;
  mishaps: readonly Mishap[];
}

const DEFAULTS: KnobValues = { latencyMs: 0, mishaps: [] };
const FIELDS = ['latencyMs', 'mishaps', 'seed', 'name'];

/** The faults of all receivers, or of the one with a given name. */
export class Knobs {
  #everyone: Partial<KnobValues> = {};
  readonly #named = new Map<string, Partial<KnobValues>>();
  readonly #draws = new SeededDraws();

  /** Sets the given knobs; with `name`, only for that receiver. @throws HttpFailure 400 */
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

function readMishap(value: unknown): Mishap {
  const { chance = true, retryAfter, ...rest } = objectWith(value, mishapFields);
  const mishap = { ...rest, chance, ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }) };
  if (!isMishap(mishap)) {
    throw new HttpFailure(400, {
      error: `answer has to be one of ${ways.join(', ')}, chance true or a number, status a final one, the rest as described.`,
    });
  }
  return mishap;
}

function isMishap(value: unknown): value is Mishap {
  if (!isObject(value)) return false;
  const { answer, chance, status, location, bytes, everyMs } = value;
  return (
    ways.some((way) => way === answer) &&
    isChance(chance) &&
    (status === undefined || isWithin(status, 200, 599)) &&
    (location === undefined || typeof location === 'string') &&
    (bytes === undefined || isWithin(bytes, 1, 1_000_000_000)) &&
    (everyMs === undefined || isWithin(everyMs, 1, 60_000))
  );
}

function isWithin(value: unknown, from: number, to: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
}
