import { stepsToMatch } from '../../lib/safe-pattern.js';
import { WatchEnded, watched } from '../../lib/watched.js';

/** What the patterns of one request may take, over all values together. */
const togetherMs = 30;
/** Estimated steps per millisecond on a small machine. */
const stepsPerMs = 25_000;
/** A match whose worst case is below this runs without a timeout, which has a cost of its own. */
const unwatchedMs = 1;

interface Pattern {
  expression: RegExp;
  /** The most steps that a match with a text of this length can take. */
  steps(textLength: number): number;
}

/** Time budget for the patterns of one request, or of each batch of a longer one, which block the event loop. */
export class PatternBudget {
  readonly #patterns = new Map<string, Pattern>();
  #milliseconds = 0;
  #isExceeded = false;

  /** Whether a match was abandoned because the budget was used up. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Whether the pattern matches the whole text; undefined if that exceeds the budget. */
  matches(pattern: string, text: string): boolean | undefined {
    const { expression, steps } = this.#compiled(pattern);
    const left = Math.floor(togetherMs - this.#milliseconds);
    if (left < 1) return this.#giveUp();
    const most = steps(text.length) / stepsPerMs;
    const match = () => expression.test(text);
    const begun = performance.now();
    try {
      return most <= unwatchedMs ? match() : watched(left, match);
    } catch (error) {
      if (error instanceof WatchEnded) return this.#giveUp();
      throw error;
    } finally {
      // A match that took longer than its worst case was preempted on a busy machine: charge the worst case.
      this.#milliseconds += Math.min(performance.now() - begun, most);
    }
  }

  #giveUp(): undefined {
    this.#isExceeded = true;
    return undefined;
  }

  #compiled(pattern: string): Pattern {
    const known = this.#patterns.get(pattern);
    if (known !== undefined) return known;
    const made = { expression: new RegExp(`^(?:${pattern})$`, 'u'), steps: stepsToMatch(pattern) };
    this.#patterns.set(pattern, made);
    return made;
  }
}
