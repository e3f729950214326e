import { seededRandom, textSeed } from './random.js';

/** `true` means always, a number below 1 is a probability, an integer n means the next n times. */
export type Chance = boolean | number;

export function isChance(value: unknown): value is Chance {
  return typeof value === 'boolean' || (typeof value === 'number' && value >= 0);
}

/** Seeded random numbers: a separate sequence for each key, so that keys do not affect each other. */
export class SeededDraws {
  #seed = 1;
  readonly #rows = new Map<string, () => number>();

  /** The next number of the key's sequence, in [0, 1). */
  next(key: string): number {
    const row = this.#rows.get(key) ?? seededRandom(this.#seed ^ textSeed(key));
    this.#rows.set(key, row);
    return row();
  }

  /** Restarts all sequences with this seed. */
  reseed(seed: number): void {
    this.#seed = seed;
    this.#rows.clear();
  }
}
