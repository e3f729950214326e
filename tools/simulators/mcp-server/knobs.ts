import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { Chance, KnobBoard } from '../support/knobs.js';
import { objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';

const answers = ['status', 'redirect', 'hang', 'reset', 'run_and_reset', 'huge', 'empty_stream'] as const;

/** A fault; its fields are described in `tools/simulators/README.md`. */
const Mishap = Type.Object({
  answer: Type.Enum(answers),
  /** The method of the protocol, such as `tools/call`; all unless given. */
  on: Type.Optional(Type.String()),
  chance: Chance,
  status: Type.Optional(Type.Integer({ minimum: 300, maximum: 599 })),
  retryAfter: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
});
export type Mishap = Static<typeof Mishap>;

const Values = Type.Object({
  /** What requests have to carry; null: nothing. */
  token: Type.Union([Type.String(), Type.Null()]),
  latencyMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
  /** Whether answers are JSON instead of streams of events. */
  json: Type.Boolean(),
  /** Whether a tool has another description than at first. */
  changed: Type.Boolean(),
  mishaps: Type.Array(Mishap),
});
export type KnobValues = Static<typeof Values>;

export class Knobs extends KnobBoard<KnobValues> {
  constructor() {
    super({ token: null, latencyMs: 0, json: false, changed: false, mishaps: [] });
  }

  /** Sets the given knobs. @throws HttpFailure 400 */
  turn(body: unknown): KnobValues {
    const given = objectWith(body, Object.keys(Values.properties));
    const values = { ...this.of(undefined), ...given };
    if (!Check(Values, values)) {
      throw new HttpFailure(400, { error: 'A knob has a value that it does not take: see the README.' });
    }
    this.set(values);
    return values;
  }

  /** The fault for a request of this method, if any; decrements counts. */
  nextFault(method: string): Mishap | undefined {
    return this.of(undefined).mishaps.find(
      (fault, index) =>
        (fault.on === undefined || fault.on === method) &&
        this.happens(fault.chance, `${index} ${method}`, (left) => {
          fault.chance = left;
        }),
    );
  }
}
