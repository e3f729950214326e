import Type, { type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { Chance, KnobBoard } from '../support/knobs.js';
import { objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';

const Milliseconds = Type.Number({ minimum: 0 });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** What each knob does is described in `tools/simulators/README.md`. Times are in milliseconds. */
const schemas = {
  lost: Chance,
  late: Type.Tuple([Type.Number(), Type.Number()]),
  doubled: Chance,
  outOfOrder: Chance,
  failing: orNull(Type.Object({ code: Type.Number(), rate: Type.Optional(Chance) })),
  listLagMs: Milliseconds,
  latencyMs: Milliseconds,
  refuse: orNull(Type.Object({ code: Type.Number(), rate: Type.Optional(Chance) })),
  unauthorized: Chance,
  dropConnectionAfterAccept: Chance,
  busy: orNull(
    Type.Object({
      rate: Type.Optional(Chance),
      retryAfterSeconds: Type.Optional(Type.Number()),
      status: Type.Optional(Type.Number()),
    }),
  ),
  optOut: Type.Enum(['off', 'basic', 'advanced']),
  paceMs: Milliseconds,
  line: orNull(
    Type.Object({
      segmentsPerSecond: Type.Number({ exclusiveMinimum: 0 }),
      queueSeconds: Type.Number({ minimum: 0 }),
      code: Type.Optional(Type.Number()),
    }),
  ),
  autoReply: orNull(Type.String()),
  mediaMissing: Chance,
  mediaBroken: Chance,
  mediaBusy: Chance,
  mediaRedirect: orNull(Type.String()),
  mediaFetchMs: Milliseconds,
  mediaFetchedTwice: Chance,
  mediaRefused: orNull(Type.Object({ code: Type.Number(), rate: Type.Optional(Chance) })),
  prefetched: Chance,
  askedTwice: Chance,
  lostCallEvents: Type.Array(Type.String()),
  callsPerSecond: orNull(Type.Number({ exclusiveMinimum: 0 })),
  concurrentCalls: orNull(Type.Integer({ minimum: 0 })),
  pricePerMinute: Type.Number({ minimum: 0 }),
  billedAfterMs: orNull(Milliseconds),
  pricePerSegment: Type.Number({ minimum: 0 }),
  priceUnit: Type.String(),
  msPerCharacter: Milliseconds,
  streamAfterMs: Milliseconds,
  durationsAsText: Chance,
  withoutSid: Chance,
};
const Values = Type.Object(schemas);
export type KnobValues = Static<typeof Values>;

export class Knobs extends KnobBoard<KnobValues> {
  constructor() {
    super({
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
      line: null,
      autoReply: null,
      mediaMissing: false,
      mediaBroken: false,
      mediaBusy: false,
      mediaRedirect: null,
      mediaFetchMs: 0,
      mediaFetchedTwice: false,
      mediaRefused: null,
      prefetched: false,
      askedTwice: false,
      lostCallEvents: [],
      callsPerSecond: null,
      concurrentCalls: null,
      pricePerMinute: 0.014,
      billedAfterMs: 1_000,
      pricePerSegment: 0.0079,
      priceUnit: 'USD',
      msPerCharacter: 0,
      streamAfterMs: 0,
      durationsAsText: false,
      withoutSid: false,
    });
  }

  /** Sets the given knobs; with `handset`, only for that number. @throws HttpFailure 400 */
  turn(body: unknown): KnobValues {
    const { seed, handset, ...values } = objectWith(body, [...Object.keys(schemas), 'seed', 'handset']);
    for (const [name, schema] of Object.entries(schemas)) {
      if (!(name in values) || Check(schema, values[name])) continue;
      throw new HttpFailure(400, { error: `${name} has the wrong form.` });
    }
    if (typeof seed === 'number') this.draws.reseed(seed);
    const name = typeof handset === 'string' ? handset : undefined;
    this.set(values, name);
    return this.of(name);
  }

  /** Whether a knob takes effect this time; decrements counts. */
  takes(
    handset: string,
    knob:
      | 'lost'
      | 'doubled'
      | 'outOfOrder'
      | 'dropConnectionAfterAccept'
      | 'unauthorized'
      | 'mediaMissing'
      | 'mediaBroken'
      | 'mediaBusy'
      | 'mediaFetchedTwice'
      | 'prefetched'
      | 'askedTwice'
      | 'durationsAsText'
      | 'withoutSid',
  ): boolean {
    return this.#takes(this.of(handset)[knob], handset, knob, (left) => ({ [knob]: left }));
  }

  /** The value of a knob with a rate if it takes effect this time; without a rate it always does. */
  applies<K extends 'failing' | 'refuse' | 'busy' | 'mediaRefused'>(handset: string, knob: K) {
    const value = this.of(handset)[knob];
    if (value === null) return undefined;
    const left = (rate: number) => ({ [knob]: { ...value, rate } });
    return this.#takes(value.rate ?? true, handset, knob, left) ? value : undefined;
  }

  lateness(handset: string): number {
    const [from, to] = this.of(handset).late;
    return from + this.draws.next(`late ${handset}`) * (to - from);
  }

  /** A decremented count is kept where it was set: for the handset or for all. */
  #takes(
    chance: Chance,
    handset: string,
    knob: keyof KnobValues,
    left: (count: number) => Partial<KnobValues>,
  ): boolean {
    const own = knob in (this.named.get(handset) ?? {}) ? handset : undefined;
    return this.happens(chance, `${knob} ${handset}`, (count) => this.set(left(count), own));
  }
}
