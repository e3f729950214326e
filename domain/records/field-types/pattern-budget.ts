import { stepsToMatch } from '../../lib/safe-pattern.js';
import { WatchEnded, watched } from '../../lib/watched.js';

/** Milliseconds that the patterns of one request may take, over all values together. */
const togetherMs = 30;
/** Estimated steps that take a millisecond on a small machine. */
const stepsPerMs = 25_000;
/** What a match may take that is made without a watch. */
const unwatchedMs = 1;

interface Pattern {
  expression: RegExp;
  /** The most steps a match with a text of this length can take. */
  steps(textLength: number): number;
}

/**
 * What the patterns of one request's values may cost: a thousand records are checked at once, and nothing else goes on
 * meanwhile. Make one for each request, or for each batch of a longer one.
 */
export class PatternBudget {
  readonly #patterns = new Map<string, Pattern>();
  #milliseconds = 0;
  #isExceeded = false;

  /** Whether a match was given up because all of them together took too long. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Whether the pattern matches the whole text; undefined where that takes too long. */
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
      // What takes longer than it can was interrupted by others on a busy machine.
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
