import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { Chance, KnobBoard } from '../support/knobs.js';
import { objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';

const ways = ['status', 'redirect', 'hang', 'reset', 'garbage', 'huge', 'drip'] as const;

/** A fault in answering webhooks; its fields are described in `tools/simulators/README.md`. */
const Mishap = Type.Object({
  answer: Type.Enum(ways),
  chance: Chance,
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  retryAfter: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  everyMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),
});
export type Mishap = Static<typeof Mishap>;

const Latency = Type.Integer({ minimum: 0, maximum: 60_000 });

interface KnobValues {
  latencyMs: number;
  mishaps: readonly Mishap[];
}

export class Knobs extends KnobBoard<KnobValues> {
  constructor() {
    super({ latencyMs: 0, mishaps: [] });
  }

  /** Sets the given knobs; with `name`, only for that receiver. @throws HttpFailure 400 */
  turn(body: unknown): KnobValues {
    const { seed, name, ...given } = objectWith(body, ['latencyMs', 'mishaps', 'seed', 'name']);
    const values = readValues(given);
    if (typeof seed === 'number') this.draws.reseed(seed);
    const receiver = typeof name === 'string' ? name : undefined;
    this.set(values, receiver);
    return this.of(receiver);
  }

  /** The fault for the next webhook to this receiver, if any; decrements counts. */
  nextFault(name: string): Mishap | undefined {
    return this.of(name).mishaps.find((fault, index) =>
      this.happens(fault.chance, `${index} ${name}`, (left) => {
        fault.chance = left;
      }),
    );
  }
}

function readValues({ latencyMs, mishaps }: Record<string, unknown>): Partial<KnobValues> {
  if (latencyMs !== undefined && !Check(Latency, latencyMs)) {
    throw new HttpFailure(400, { error: 'latencyMs has to be a number of milliseconds up to 60000.' });
  }
  if (mishaps !== undefined && !Array.isArray(mishaps)) {
    throw new HttpFailure(400, { error: 'mishaps has to be a list.' });
  }
  return {
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(mishaps === undefined ? {} : { mishaps: mishaps.map(readFault) }),
  };
}

function readFault(value: unknown): Mishap {
  const { chance = true, retryAfter, ...rest } = objectWith(value, Object.keys(Mishap.properties));
  const fault = { ...rest, chance, ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }) };
  if (Check(Mishap, fault)) return fault;
  throw new HttpFailure(400, {
    error: `answer has to be one of ${ways.join(', ')}, chance true or a number, status a final one, the rest as described.`,
  });
}
