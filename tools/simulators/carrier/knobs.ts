import { type Chance, isChance, SeededDraws } from '../support/chance.js';
import { isObject, objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';

export interface KnobValues {
  /** Status callbacks that never come. */
  lost: Chance;
  /** Milliseconds, from and to, that callbacks come late. */
  late: [number, number];
  /** Callbacks and inbound messages that come twice. */
  doubled: Chance;
  /** Messages whose callbacks come in the reverse order. */
  outOfOrder: Chance;
  /** Messages that are not delivered, and the error code that says why. */
  failing: { code: number; rate: Chance } | null;
  /** Milliseconds for which a message is not in the list yet. */
  listLagMs: number;
  /** Milliseconds before each answer of the REST API. */
  latencyMs: number;
  /** Messages refused when they are created. */
  refuse: { code: number; rate?: Chance } | null;
  /** Requests answered 401, as with a wrong auth token or a suspended account. */
  unauthorized: Chance;
  /** Messages that are taken, but whose sender is not told. */
  dropConnectionAfterAccept: Chance;
  /** Requests answered 429 (or `status`), with `Retry-After`. */
  busy: { rate?: Chance; retryAfterSeconds?: number; status?: number } | null;
  /**
   * What the carrier does with STOP and START: nothing; `basic`: answers, and refuses further messages with
   * 21610; `advanced`: also says so to the webhook in `OptOutType`.
   */
  optOut: 'off' | 'basic' | 'advanced';
  /** Milliseconds between two statuses of a message. */
  paceMs: number;
  /** What the handset answers each message with, as an absence notice does; null: nothing. */
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

/** How the simulated carrier misbehaves, for everyone or for one handset. */
export class Knobs {
  #everyone: Partial<KnobValues> = {};
  #handsets = new Map<string, Partial<KnobValues>>();
  readonly #draws = new SeededDraws();

  /** Turns the given knobs; with `handset`, only for that number. */
  turn(body: unknown): KnobValues {
    const { seed, handset, ...values } = objectWith(body, FIELDS);
    checkShapes(values);
    if (typeof seed === 'number') this.#draws.reseed(seed);
    if (typeof handset !== 'string') {
      this.#everyone = { ...this.#everyone, ...values };
      return this.of(undefined);
    }
    this.#handsets.set(handset, { ...this.#handsets.get(handset), ...values });
    return this.of(handset);
  }

  reset(): void {
    this.#everyone = {};
    this.#handsets.clear();
    this.#draws.reseed(1);
  }

  /** The knobs as they stand for a handset. */
  of(handset: string | undefined): KnobValues {
    const own = handset === undefined ? undefined : this.#handsets.get(handset);
    return { ...DEFAULTS, ...this.#everyone, ...own };
  }

  /** Whether a knob that is a chance itself takes effect this time; counts go down. */
  takes(
    handset: string,
    knob: 'lost' | 'doubled' | 'outOfOrder' | 'dropConnectionAfterAccept' | 'unauthorized',
  ): boolean {
    const chance = this.of(handset)[knob];
    return this.#happens(chance, handset, knob, (left) => ({ [knob]: left }));
  }

  /** What a knob that is an object with a rate asks for this time, if it does; without a rate always. */
  applies<K extends 'failing' | 'refuse' | 'busy'>(
    handset: string,
    knob: K,
  ): NonNullable<KnobValues[K]> | undefined {
    const value = this.of(handset)[knob];
    if (value === null) return undefined;
    const left = (rate: number) => ({ [knob]: { ...value, rate } });
    return this.#happens(value.rate ?? true, handset, knob, left) ? value : undefined;
  }

  /** Milliseconds this callback comes late. */
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

  /** Writes a count back to where it was set. */
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
