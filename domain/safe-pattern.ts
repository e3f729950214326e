/** What a pattern can cost, or why it is refused. */
export type PatternCheck =
  | { ok: true; variableQuantifiers: number; anchored: boolean }
  | { ok: false; message: string };

const maxPatternLength = 200;
const maxVariableQuantifiers = 4;
const maxOptional = 8;

/**
 * Whether a regular expression written by a user can be run without the danger of catastrophic backtracking.
 *
 * JavaScript's engine backtracks and cannot be interrupted, so what makes it explode is refused by shape: a
 * repeated group that itself repeats or branches, back references and lookaround. What remains is polynomial in
 * the number of variable quantifiers, which is bounded (and the text as well, where the pattern is used).
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
  return checkShape(pattern);
}

function checkShape(pattern: string): PatternCheck {
  const groups: { varies: boolean }[] = [];
  let current = { varies: false };
  let closed: { varies: boolean } | null = null;
  let variableQuantifiers = 0;
  let optional = 0;

  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest)?.[0];
    if (quantifier) {
      const kind = quantifierKind(quantifier);
      if (closed?.varies && kind !== 'optional')
        return refuse('repeats a group that itself repeats or branches');
      if (kind === 'variable') variableQuantifiers += 1;
      if (kind === 'optional') optional += 1;
      if (kind !== 'fixed' || closed?.varies) current.varies = true;
      closed = null;
      at += quantifier.length;
      continue;
    }
    if (closed?.varies) current.varies = true;
    closed = null;
    const length = tokenLength(rest);
    const token = rest.slice(0, length);
    if (/^\\(?:[1-9]|k)/.test(token)) return refuse('must not use back references');
    if (/^\(\?(?:=|!|<=|<!)/.test(rest)) return refuse('must not look ahead or behind');
    if (token.startsWith('(')) {
      groups.push(current);
      current = { varies: false };
    } else if (token === ')') {
      closed = current;
      current = groups.pop() ?? { varies: false };
    } else if (token === '|') {
      current.varies = true;
    }
    at += length;
  }
  if (variableQuantifiers > maxVariableQuantifiers || optional > maxOptional) {
    return refuse(`must not have more than ${maxVariableQuantifiers} repetitions of variable length`);
  }
  return { ok: true, variableQuantifiers, anchored: pattern.startsWith('^') && !pattern.includes('|') };
}

/** `{3}` repeats but never gives anything back; `?` doubles the ways once; the others multiply them. */
function quantifierKind(quantifier: string): 'fixed' | 'optional' | 'variable' {
  if (/^\{\d+\}/.test(quantifier)) return 'fixed';
  return quantifier.startsWith('?') ? 'optional' : 'variable';
}

/** An escape, a character class, the opening of a group, or one character. */
function tokenLength(rest: string): number {
  if (rest.startsWith('\\')) return 2;
  if (rest.startsWith('[')) return /^\[(?:\\.|[^\]\\])*\]/su.exec(rest)?.[0].length ?? 1;
  return /^\((?:\?(?::|<\w+>))?/.exec(rest)?.[0].length ?? 1;
}

function refuse(message: string): PatternCheck {
  return { ok: false, message };
}
