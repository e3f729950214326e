import Type, { type Static } from 'typebox';
import { SeededDraws } from './random.js';

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
