import { type Chance, isChance, SeededDraws } from '../support/random.js';
import { isObject, objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';

/** What each knob does is described in `tools/simulators/README.md`. Times are in milliseconds. */
export interface KnobValues {
  lost: Chance;
  late: [number, number];
  doubled: Chance;
  outOfOrder: Chance;
  failing: { code: number; rate: Chance } | null;
  listLagMs: number;
  latencyMs: number;
  refuse: { code: number; rate?: Chance } | null;
  unauthorized: Chance;
  dropConnectionAfterAccept: Chance;
  busy: { rate?: Chance; retryAfterSeconds?: number; status?: number } | null;
  optOut: 'off' | 'basic' | 'advanced';
  paceMs: number;
  autoReply: string | null;
}

const DEFAULTS: KnobValues = {
  lost: false,
  late: [0, 0],
  doubled: false,
  outOfOrder: false,
  failing: null,
  listLagMs: 0,
  latencyMs: 0,
  refuse: null,
  unauthorized: false,
  dropConnectionAfterAccept: false,
  busy: null,
  optOut: 'off',
  paceMs: 20,
  autoReply: null,
};

const FIELDS = [...Object.keys(DEFAULTS), 'seed', 'handset'];

/** The faults of the simulated carrier, for all handsets or one. */
export class Knobs {
  #everyone: Partial<KnobValues> = {};
  #handsets = new Map<string, Partial<KnobValues>>();
  readonly #draws = new SeededDraws();

  /** Sets the given knobs; with `handset`, only for that number. */
  turn(body: unknown): KnobValues {
    const { seed, handset, ...values } = objectWith(body, FIELDS);
    checkShapes(values);
    if (typeof seed === 'number') this.#draws.reseed(seed);
    const name = typeof handset === 'string' ? handset : undefined;
    if (name === undefined) this.#everyone = { ...this.#everyone, ...values };
    else this.#handsets.set(name, { ...this.#handsets.get(name), ...values });
    return this.of(name);
  }

  reset(): void {
    this.#everyone = {};
    this.#handsets.clear();
    this.#draws.reseed(1);
  }

  of(handset: string | undefined): KnobValues {
    const own = handset === undefined ? undefined : this.#handsets.get(handset);
    return { ...DEFAULTS, ...this.#everyone, ...own };
  }

  /** Whether a knob takes effect this time; decrements counts. */
  takes(
    handset: string,
    knob: 'lost' | 'doubled' | 'outOfOrder' | 'dropConnectionAfterAccept' | 'unauthorized',
  ): boolean {
    const chance = this.of(handset)[knob];
    return this.#happens(chance, handset, knob, (left) => ({ [knob]: left }));
  }

  /** The value of a knob with a rate if it takes effect this time; without a rate it always does. */
  applies<K extends 'failing' | 'refuse' | 'busy'>(handset: string, knob: K) {
    const value = this.of(handset)[knob];
    if (value === null) return undefined;
    const left = (rate: number) => ({ [knob]: { ...value, rate } });
    return this.#happens(value.rate ?? true, handset, knob, left) ? value : undefined;
  }

  lateness(handset: string): number {
    const [from, to] = this.of(handset).late;
    return from + this.#draws.next(`late ${handset}`) * (to - from);
  }

  #happens(
    chance: Chance,
    handset: string,
    knob: string,
    left: (count: number) => Partial<KnobValues>,
  ): boolean {
    if (typeof chance === 'boolean') return chance;
    if (chance < 1) return this.#draws.next(`${knob} ${handset}`) < chance;
    this.#set(handset, left(chance - 1));
    return true;
  }

  /** Stores a decremented count where it was set: for the handset or for all. */
  #set(handset: string, values: Partial<KnobValues>): void {
    const own = this.#handsets.get(handset);
    const name = Object.keys(values)[0] ?? '';
    if (own !== undefined && name in own) this.#handsets.set(handset, { ...own, ...values });
    else this.#everyone = { ...this.#everyone, ...values };
  }
}

function checkShapes(values: Record<string, unknown>): void {
  const wrong = Object.entries(values).find(([name, value]) => !fits(name, value));
  if (wrong !== undefined) throw new HttpFailure(400, { error: `${wrong[0]} has the wrong form.` });
}

function fits(name: string, value: unknown): boolean {
  switch (name) {
    case 'late':
      return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'number');
    case 'failing':
    case 'refuse':
      return value === null || (isObject(value) && typeof value.code === 'number');
    case 'busy':
      return value === null || isObject(value);
    case 'optOut':
      return value === 'off' || value === 'basic' || value === 'advanced';
    case 'autoReply':
      return value === null || typeof value === 'string';
    case 'listLagMs':
    case 'latencyMs':
    case 'paceMs':
      return typeof value === 'number' && value >= 0;
    default:
      return isChance(value);
  }
}
