/** A part of a structured header field (RFC 5322, section 3.2), without comments. */
export interface Token {
  kind: 'word' | 'quoted' | 'special';
  text: string;
  /** Whether nothing stands between it and the token before. */
  isGlued: boolean;
}

/**
 * Splits a structured field into words, quoted strings and special characters. Comments, which may be nested, are passed
 * over. Undefined if a comment or a quoted string does not end.
 */
export function tokensOf(value: string, specials: string): Token[] | undefined {
  const tokens: Token[] = [];
  let isGlued = false;
  for (let at = 0; at < value.length; ) {
    const character = value[at] as string;
    if (character === ' ' || character === '\t') {
      isGlued = false;
      at += 1;
      continue;
    }
    if (character === '(') {
      const end = endOfComment(value, at);
      if (end === undefined) return undefined;
      isGlued = false;
      at = end;
      continue;
    }
    if (character === '"') {
      const quoted = quotedAt(value, at);
      if (quoted === undefined) return undefined;
      tokens.push({ kind: 'quoted', text: quoted.text, isGlued });
      at = quoted.end;
    } else if (specials.includes(character)) {
      tokens.push({ kind: 'special', text: character, isGlued });
      at += 1;
    } else {
      const end = endOfWord(value, at, specials);
      tokens.push({ kind: 'word', text: value.slice(at, end), isGlued });
      at = end;
    }
    isGlued = true;
  }
  return tokens;
}

function endOfWord(value: string, from: number, specials: string): number {
  const ends = ` \t("${specials}`;
  let at = from + 1;
  while (at < value.length && !ends.includes(value[at] as string)) at += 1;
  return at;
}

function endOfComment(value: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < value.length; at += 1) {
    const character = value[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function quotedAt(value: string, from: number): { text: string; end: number } | undefined {
  let text = '';
  for (let at = from + 1; at < value.length; at += 1) {
    const character = value[at];
    if (character === '"') return { text, end: at + 1 };
    if (character === '\\') at += 1;
    text += value[at] ?? '';
  }
  return undefined;
}
