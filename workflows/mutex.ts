/** Runs one piece of work at a time, first come, first served. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;

  /** How many run or wait. */
  get asked(): number {
    return this.#asked;
  }

  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#asked -= 1;
    }
  }
}
