import { parsePattern } from './safe-pattern/parse-pattern.js';
import { worstSteps } from './safe-pattern/worst-steps.js';

/** What a pattern can cost, or why it is refused. */
export type PatternCheck =
  /** `stepsOn`: the most steps a search in a text of this length can take. */
  { ok: true; stepsOn(textLength: number): number } | { ok: false; message: string };

const maxPatternLength = 200;
/** The longest text that a field's pattern is run on, which is matched as a whole. Expressions reckon on their own. */
export const maxPatternedLength = 256;
/** About a third of a second on a small machine. */
const maxSteps = 30_000_000;

/**
 * Whether a regular expression written by a user can be run without the danger of catastrophic backtracking.
 *
 * JavaScript's engine backtracks and cannot be interrupted, so the ways it could try are counted before it is run:
 * those of alternatives and repetitions multiply when they stand in a row. What cannot be counted is refused by
 * shape: a repeated group that itself repeats or branches, back references and lookaround.
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

/** The most steps that matching whole texts of a length takes: without end where the pattern cannot be reckoned with. */
export function stepsToMatch(pattern: string): (textLength: number) => number {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return () => Number.POSITIVE_INFINITY;
  return (textLength) => worstSteps({ ...parsed, anchored: true }, textLength);
}

function refuse(message: string): PatternCheck {
  return { ok: false, message };
}
