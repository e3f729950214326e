import { seededRandom, textSeed } from './random.js';

/** `true` is always, a number below 1 a probability, a whole number the next so many times. */
export type Chance = boolean | number;

export function isChance(value: unknown): value is Chance {
  return typeof value === 'boolean' || (typeof value === 'number' && value >= 0);
}

/** Random numbers that repeat with the seed: a row of its own for each key, so that what happens beside does not matter. */
export class SeededDraws {
  #seed = 1;
  readonly #rows = new Map<string, () => number>();

  /** The next number of a row, in [0, 1). */
  next(key: string): number {
    const row = this.#rows.get(key) ?? seededRandom(this.#seed ^ textSeed(key));
    this.#rows.set(key, row);
    return row();
  }

  /** Lets all rows begin anew. */
  reseed(seed: number): void {
    this.#seed = seed;
    this.#rows.clear();
  }
}
