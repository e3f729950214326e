import type { Admission } from '../../lib/admission.js';

/** Reads, some at a time. Those that wait for the same are one. */
export class SharedReads<Result> {
  readonly #slots: Admission;
  readonly #waiting = new Map<string, Promise<Result>>();

  constructor(slots: Admission) {
    this.#slots = slots;
  }

  /** @param key what is read, and from where */
  run(key: string, read: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    let hasStarted = false;
    const result = this.#slots.run({}, () => {
      hasStarted = true;
      // A read in progress may miss changes that a later caller was notified of, so it is no longer shared.
      this.#waiting.delete(key);
      return read();
    });
    if (!hasStarted) this.#waiting.set(key, result);
    return result;
  }
}
