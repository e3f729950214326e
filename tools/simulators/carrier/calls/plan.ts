import Type, { type Static, type TProperties } from 'typebox';
import { Check } from 'typebox/value';
import { HttpFailure } from '../../support/serve.js';

const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });
const Milliseconds = Type.Number({ minimum: 0 });

/** What the person at a handset does, one after the other; `tools/simulators/README.md` says what each step is. */
const Step = Type.Union([
  closed({
    say: Type.Union([
      closed({ ms: Milliseconds }),
      closed({ base64: Type.String() }),
      closed({ words: Type.String({ minLength: 1, maxLength: 1_000 }) }),
    ]),
  }),
  closed({ wait: Milliseconds }),
  closed({ keys: Type.String({ pattern: '^[0-9A-D#*]+$' }) }),
  closed({ untilAsked: Type.Integer({ minimum: 1 }) }),
  closed({ untilStream: Type.Integer({ minimum: 1 }) }),
  closed({ untilHears: Milliseconds }),
  closed({ untilQuiet: Milliseconds }),
  closed({ stall: Milliseconds }),
  closed({ drop: Type.Integer({ minimum: 1 }) }),
  closed({ breakStream: Type.Literal(true) }),
  closed({ hangUp: Type.Literal(true) }),
]);
export type Step = Static<typeof Step>;

const Steps = Type.Array(Step);

/** How a handset takes a call. */
const Plan = closed({
  outcome: Type.Optional(Type.Enum(['answered', 'busy', 'no-answer', 'failed'])),
  afterMs: Type.Optional(Milliseconds),
  sipCode: Type.Optional(Type.Integer()),
  answeredBy: Type.Optional(Type.Enum(['human', 'machine', 'fax', 'unknown'])),
  greetingEnd: Type.Optional(Type.Enum(['beep', 'silence', 'other'])),
  detectedAfterMs: Type.Optional(Milliseconds),
  speed: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 })),
  script: Type.Optional(Steps),
});
export type Plan = Static<typeof Plan>;

const Plans = Type.Array(Plan, { minItems: 1 });

/** @throws HttpFailure 400 */
export function readSteps(value: unknown): Step[] {
  if (Check(Steps, value)) return value;
  throw new HttpFailure(400, { error: 'The script has an unknown step, or one of the wrong form.' });
}

/** The plans of each handset: each is for one call, the last one for all that follow. */
export class PlanBook {
  readonly #plans = new Map<string, Plan[]>();

  /** @throws HttpFailure 400 */
  set(handset: string, plans: unknown): void {
    if (!Check(Plans, plans)) {
      throw new HttpFailure(400, {
        error: 'Plans are a list; one has an unknown field, or one of the wrong form.',
      });
    }
    this.#plans.set(handset, [...plans]);
  }

  take(handset: string): Plan {
    const plans = this.#plans.get(handset) ?? [];
    return (plans.length > 1 ? plans.shift() : plans[0]) ?? {};
  }

  reset(): void {
    this.#plans.clear();
  }
}
