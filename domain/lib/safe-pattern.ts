type Refused = { ok: false; message: string };
/** `stepsOn`: the maximum number of steps of a search in a text of this length. */
type PatternCheck = { ok: true; stepsOn(textLength: number): number } | Refused;

const maxPatternLength = 200;
/** The longest text that the pattern of a field is matched against, always as a whole. */
export const maxPatternedLength = 256;
/** About a third of a second on a small machine. */
const maxSteps = 30_000_000;

/**
 * Checks that a regular expression of an author cannot cause catastrophic backtracking: the engine of JavaScript cannot
 * be interrupted, so the ways it could try are counted in advance. Constructs that cannot be counted are refused.
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
  if (worstSteps({ ...parsed, anchored: true }, maxPatternedLength) > maxSteps) {
    return refuse('could take too long: it repeats and branches too often; counts such as {1,20} help');
  }
  return { ok: true, stepsOn: (textLength) => worstSteps(parsed, textLength) };
}

/** The maximum number of steps to match a whole text of a given length; infinite if the pattern cannot be analyzed. */
export function stepsToMatch(pattern: string): (textLength: number) => number {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return () => Number.POSITIVE_INFINITY;
  return (textLength) => worstSteps({ ...parsed, anchored: true }, textLength);
}

function refuse(message: string): Refused {
  return { ok: false, message };
}

/** One character, class or assertion, or a group of alternatives, with its repetition counts. */
interface PatternPart {
  /** Null for anything but a group. */
  group: readonly PatternSequence[] | null;
  min: number;
  max: number;
}

type PatternSequence = readonly PatternPart[];

interface Pattern {
  alternatives: readonly PatternSequence[];
  anchored: boolean;
}

type OpenPart = { group: OpenPart[][] | null; min: number; max: number };

/** Parses the structure of a valid regular expression, or refuses a construct whose cost cannot be counted. */
function parsePattern(pattern: string): ({ ok: true } & Pattern) | Refused {
  let alternatives: OpenPart[][] = [[]];
  const outer: OpenPart[][][] = [];

  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const token = quantifierOf(rest) ?? rest.slice(0, tokenLength(rest));
    const sequence = alternatives.at(-1) ?? [];
    if (quantifierOf(rest) !== undefined) {
      const part = sequence.at(-1);
      if (part !== undefined) Object.assign(part, countsOf(token));
      if (part?.group && part.max > 1 && varies(part.group)) {
        return refuse('repeats a group that itself repeats or branches');
      }
    } else if (/^\\(?:[1-9]|k)/.test(token)) {
      return refuse('must not use back references');
    } else if (/^\(\?(?:=|!|<=|<!)/.test(rest)) {
      return refuse('must not look ahead or behind');
    } else if (token.startsWith('(')) {
      const group: OpenPart[][] = [[]];
      sequence.push({ group, min: 1, max: 1 });
      outer.push(alternatives);
      alternatives = group;
    } else if (token === ')') {
      if (hasEmpty(alternatives)) return refuse('must not have an empty alternative');
      alternatives = outer.pop() ?? [[]];
    } else if (token === '|') {
      alternatives.push([]);
    } else {
      sequence.push({ group: null, min: 1, max: 1 });
    }
    at += token.length;
  }
  if (hasEmpty(alternatives)) return refuse('must not have an empty alternative');
  return { ok: true, alternatives, anchored: pattern.startsWith('^') && alternatives.length === 1 };
}

/** Whether a group can match one text in more than one way, or texts of more than one length. */
function varies(alternatives: readonly PatternSequence[]): boolean {
  return (
    alternatives.length > 1 ||
    alternatives.some((parts) =>
      parts.some(({ group, min, max }) => min !== max || (group !== null && varies(group))),
    )
  );
}

function hasEmpty(alternatives: readonly PatternSequence[]): boolean {
  return alternatives.length > 1 && alternatives.some((parts) => parts.length === 0);
}

function quantifierOf(rest: string): string | undefined {
  return /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest)?.[0];
}

function countsOf(quantifier: string): { min: number; max: number } {
  const counts = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier);
  if (counts !== null) {
    const min = Number(counts[1]);
    return {
      min,
      max: counts[2] === '' ? min : counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3]),
    };
  }
  const min = quantifier.startsWith('+') ? 1 : 0;
  return { min, max: quantifier.startsWith('?') ? 1 : Number.POSITIVE_INFINITY };
}

/** An escape, a character class, the opening of a group, or one character. */
function tokenLength(rest: string): number {
  if (rest.startsWith('\\')) return /^\\(?:[pPu]\{[^}]*\}|.)/su.exec(rest)?.[0].length ?? 2;
  if (rest.startsWith('[')) return /^\[(?:\\.|[^\]\\])*\]/su.exec(rest)?.[0].length ?? 1;
  return /^\((?:\?(?::|<\w+>))?/.exec(rest)?.[0].length ?? 1;
}

/** In how many ways a part can match from one position, and how many steps it takes to try all of them. */
interface Effort {
  ways: number;
  steps: number;
}

/** The maximum number of steps of a backtracking search for the pattern in a text of this length. */
function worstSteps({ alternatives, anchored }: Pattern, textLength: number): number {
  // An unanchored pattern is tried at every position.
  return effortOfChoice(alternatives, textLength).steps * (anchored ? 1 : textLength + 1);
}

function effortOfChoice(alternatives: readonly PatternSequence[], textLength: number): Effort {
  const efforts = alternatives.map((parts) => effortOfSequence(parts, textLength));
  return {
    ways: efforts.reduce((sum, { ways }) => sum + ways, 0),
    steps: efforts.reduce((sum, { steps }) => sum + steps, 0),
  };
}

/** Each part is tried again for every way in which the parts before it can match. */
function effortOfSequence(parts: PatternSequence, textLength: number): Effort {
  let ways = 1;
  let steps = 1;
  for (const part of parts) {
    const own = effortOfPart(part, textLength);
    steps += ways * own.steps;
    ways *= own.ways;
  }
  return { ways, steps };
}

function effortOfPart({ group, min, max }: PatternPart, textLength: number): Effort {
  const once = group === null ? { ways: 1, steps: 1 } : effortOfChoice(group, textLength);
  if (min === 1 && max === 1) return once;
  if (min === 0 && max === 1) return { ways: once.ways + 1, steps: once.steps + 1 };
  // A repeated part matches in one way each time, because the parser refuses other repeated groups.
  const most = Math.max(min, Math.min(max, textLength));
  return { ways: most - min + 1, steps: most * once.steps + 1 };
}
