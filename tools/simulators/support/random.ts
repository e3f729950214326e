/** Seeded random numbers: a separate sequence for each key, so that keys do not affect each other. */
export class SeededDraws {
  #seed = 1;
  readonly #rows = new Map<string, () => number>();

  next(key: string): number {
    const row = this.#rows.get(key) ?? seededRandom(this.#seed ^ textSeed(key));
    this.#rows.set(key, row);
    return row();
  }

  reseed(seed: number): void {
    this.#seed = seed;
    this.#rows.clear();
  }
}

/** Seeded random numbers in [0, 1) (mulberry32), so that a failing test can be reproduced. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function textSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
