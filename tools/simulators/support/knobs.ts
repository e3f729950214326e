import Type, { type Static, type TObject } from 'typebox';
import { Check } from 'typebox/value';
import { SeededDraws } from './random.js';
import { objectWith } from './read-json.js';
import { HttpFailure, type Route } from './serve.js';

/** `true` means always, a number below 1 is a probability, an integer n means the next n times. */
export const Chance = Type.Union([Type.Boolean(), Type.Number({ minimum: 0 })]);
export type Chance = Static<typeof Chance>;

/** Values for all handsets or receivers, which those of one name override. */
export class KnobBoard<Values extends object> {
  protected readonly draws = new SeededDraws();
  protected readonly named = new Map<string, Partial<Values>>();
  readonly #defaults: Values;
  #everyone: Partial<Values> = {};

  constructor(defaults: Values) {
    this.#defaults = defaults;
  }

  of(name: string | undefined): Values {
    return { ...this.#defaults, ...this.#everyone, ...this.named.get(name ?? '') };
  }

  reset(): void {
    this.#everyone = {};
    this.named.clear();
    this.draws.reseed(1);
  }

  protected set(values: Partial<Values>, name?: string): void {
    if (name === undefined) this.#everyone = { ...this.#everyone, ...values };
    else this.named.set(name, { ...this.named.get(name), ...values });
  }

  /** Whether a chance comes true this time; `left` takes what remains of a count. */
  protected happens(chance: Chance, key: string, left: (count: number) => void): boolean {
    if (typeof chance === 'boolean') return chance;
    if (chance < 1) return this.draws.next(key) < chance;
    left(chance - 1);
    return true;
  }
}

/** One set of knobs for all that a simulator does. */
export class KnobSet<Schema extends TObject> {
  now: Static<Schema>;
  readonly #schema: Schema;
  readonly #usual: Static<Schema>;

  constructor(schema: Schema, usual: Static<Schema>) {
    this.#schema = schema;
    this.#usual = usual;
    this.now = usual;
  }

  /** `POST /knobs` changes some of them, `DELETE /knobs` takes all back. */
  routes(): Route[] {
    return [
      [
        'POST',
        '/knobs',
        (request) => {
          const given = objectWith(request.json(), Object.keys(this.#schema.properties));
          const values: unknown = { ...(this.now as object), ...given };
          if (!Check(this.#schema, values))
            throw new HttpFailure(400, { error: 'A knob has a value that it does not take.' });
          this.now = values;
          return { body: values };
        },
      ],
      [
        'DELETE',
        '/knobs',
        () => {
          this.now = this.#usual;
          return { status: 204 };
        },
      ],
    ];
  }
}
