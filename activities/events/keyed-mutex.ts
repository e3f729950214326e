/** Lets one caller per key in at a time, first come, first served. */
export class KeyedMutex {
  /** The callers that wait, by the keys that are held. */
  readonly #waiting = new Map<number, Set<(isTurn: boolean) => void>>();
  readonly #closed = new Set<number>();

  /** @returns false if the caller's turn did not come in time, or the key is closed */
  async enter(key: number, timeoutMs: number): Promise<boolean> {
    if (this.#closed.has(key)) return false;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, new Set());
      return true;
    }
    return new Promise((resolve) => {
      const settle = (isTurn: boolean): void => {
        clearTimeout(timer);
        waiting.delete(settle);
        resolve(isTurn);
      };
      const timer = setTimeout(settle, timeoutMs, false);
      waiting.add(settle);
    });
  }

  /** Lets the next caller in. */
  leave(key: number): void {
    const [next] = this.#waiting.get(key) ?? [];
    if (next === undefined) this.#waiting.delete(key);
    else next(true);
  }

  /** Refuses all callers of a key that are not in, also those that come within so many milliseconds. */
  close(key: number, forMs: number): void {
    for (const settle of this.#waiting.get(key) ?? []) settle(false);
    this.#closed.add(key);
    setTimeout(() => this.#closed.delete(key), forMs).unref();
  }
}
