/** One character, class or assertion, or a group of alternatives, with its repetition counts. */
export interface PatternPart {
  /** Null for anything but a group. */
  group: readonly PatternSequence[] | null;
  min: number;
  max: number;
}

export type PatternSequence = readonly PatternPart[];

export type ParsedPattern =
  | { ok: true; alternatives: readonly PatternSequence[]; anchored: boolean }
  | { ok: false; message: string };

type OpenPart = { group: OpenPart[][] | null; min: number; max: number };

/** Parses the structure of a valid regular expression, or refuses a construct whose cost cannot be counted. */
export function parsePattern(pattern: string): ParsedPattern {
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

function refuse(message: string): ParsedPattern {
  return { ok: false, message };
}
