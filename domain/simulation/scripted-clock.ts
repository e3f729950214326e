import type { Clock } from '../lib/clock.js';

/** The clock of a simulation, which only its script moves. */
export class ScriptedClock implements Clock {
  #now: Date;

  constructor(start: Date) {
    this.#now = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Never goes back. */
  moveTo(time: Date): void {
    if (time > this.#now) this.#now = time;
  }
}
