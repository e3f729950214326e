import type { BridgeClock } from './ports.js';

/** Named timers: setting one again replaces it. */
export class Timers<Name extends string> {
  readonly #clock: BridgeClock;
  readonly #running = new Map<Name, () => void>();

  constructor(clock: BridgeClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  set(name: Name, ms: number, run: () => void): void {
    this.clear(name);
    const cancel = this.#clock.after(Math.max(0, ms), () => {
      this.#running.delete(name);
      run();
    });
    this.#running.set(name, cancel);
  }

  isSet(name: Name): boolean {
    return this.#running.has(name);
  }

  clear(name: Name): void {
    this.#running.get(name)?.();
    this.#running.delete(name);
  }

  clearAll(): void {
    for (const cancel of this.#running.values()) cancel();
    this.#running.clear();
  }
}
