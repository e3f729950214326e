import { InvalidInput, Unavailable } from '../lib/errors.js';
import type { Entry } from './entries.js';

/** The longest time that one walk, which is one transaction, may take. */
export const maxWalkMs = 10_000;
/** The longest time of a simulation with a model: its walks, and the model's answers between them. */
export const maxSimulationMs = 60_000;
export const maxEntries = 1_000;
/** The most characters of all texts of a walk. */
export const maxTextsLength = 512 * 1_024;
/** The most answers of a model in one simulation. */
export const maxModelAnswers = 25;
/** The most timers that fire while time passes in one step of a script. */
export const maxTimersInStep = 200;

/** The time that a walk has left. */
export class Deadline {
  readonly #at: number;

  constructor(milliseconds: number) {
    this.#at = performance.now() + milliseconds;
  }

  get leftMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** @throws Unavailable `simulation_too_slow` */
  check(): void {
    if (this.leftMs > 0) return;
    throw new Unavailable('The simulation took too long. Shorten its script.', 5, 'simulation_too_slow');
  }
}

/** @throws InvalidInput `simulation_too_large` */
export function checkSize(entries: readonly Entry[]): void {
  const length = entries.reduce((sum, entry) => sum + lengthOf(entry), 0);
  if (entries.length <= maxEntries && length <= maxTextsLength) return;
  const message = `The walk has more than ${maxEntries} entries or ${maxTextsLength} characters.`;
  throw new InvalidInput('simulation_too_large', message);
}

function lengthOf(entry: Entry): number {
  if ('text' in entry) return entry.text.length;
  return entry.kind === 'tool' ? entry.arguments.length + entry.result.length : 0;
}
