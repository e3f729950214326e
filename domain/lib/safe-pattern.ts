import { parsePattern } from './safe-pattern/parse-pattern.js';
import { worstSteps } from './safe-pattern/worst-steps.js';

/** The worst-case cost of a pattern, or the reason why it is refused. */
export type PatternCheck =
  /** `stepsOn`: the maximum number of steps of a search in a text of this length. */
  { ok: true; stepsOn(textLength: number): number } | { ok: false; message: string };

const maxPatternLength = 200;
/**
 * The longest text that the pattern of a field is matched against, always as a whole. Expressions estimate their own
 * cost.
 */
export const maxPatternedLength = 256;
/** About a third of a second on a small machine. */
const maxSteps = 30_000_000;

/**
 * Checks that a regular expression written by a user cannot cause catastrophic backtracking.
 *
 * The engine of JavaScript backtracks and cannot be interrupted, so the ways it could try are counted in advance: those
 * of alternatives and repetitions multiply when they follow each other. Constructs that cannot be counted are refused:
 * a repeated group that itself repeats or branches, back references and lookaround.
 */
export function checkPattern(pattern: string): PatternCheck {
  if (pattern.length === 0 || pattern.length > maxPatternLength) {
    return refuse(`must have 1 to ${maxPatternLength} characters`);
  }
  try {
    new RegExp(pattern, 'u');
  } catch {
    return refuse('is not a valid regular expression');
  }
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return parsed;
  const stepsOn = (textLength: number) => worstSteps(parsed, textLength);
  if (worstSteps({ ...parsed, anchored: true }, maxPatternedLength) > maxSteps) {
    return refuse('could take too long: it repeats and branches too often; counts such as {1,20} help');
  }
  return { ok: true, stepsOn };
}

/** The maximum number of steps to match a whole text of a given length; infinite if the pattern cannot be analyzed. */
export function stepsToMatch(pattern: string): (textLength: number) => number {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return () => Number.POSITIVE_INFINITY;
  return (textLength) => worstSteps({ ...parsed, anchored: true }, textLength);
}

function refuse(message: string): PatternCheck {
  return { ok: false, message };
}
