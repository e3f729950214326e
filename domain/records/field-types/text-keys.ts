import { createHash } from 'node:crypto';

/** A longer text has the key of its first characters, with a digest of the whole. */
const maxKeyLength = 200;
const keyHeadLength = 150;
const maxWordLength = 60;
const notInWords = /[^\p{L}\p{M}\p{N}]+/u;
const accents = /[\u0300-\u036f]/g;

/** The key by which a text is compared, sorted and kept unique: case, width and white space make no difference. */
export function textKey(text: string): string {
  const normal = normalizeText(text);
  if (normal.length <= maxKeyLength) return normal;
  return `${firstCharacters(normal, keyHeadLength)}${createHash('sha256').update(normal).digest('base64url')}`;
}

/** The prefix that the keys of all texts beginning with this text share, cut where a digest would follow. */
export function keyPrefix(text: string): string {
  return firstCharacters(normalizeText(text), keyHeadLength);
}

/** The distinct searchable words of a text, without accents. */
export function wordsOf(text: string): string[] {
  const folded = normalizeText(text).normalize('NFKD').replace(accents, '').normalize('NFKC');
  const words = folded.split(notInWords).filter((word) => word !== '');
  return [...new Set(words.map((word) => firstCharacters(word, maxWordLength)))];
}

/** Returns the least text after all texts with this prefix in PostgreSQL's collation C; null if there is none. */
export function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // The code points in between are surrogates, which are not characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return null;
}

function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/** Cuts a text without splitting a surrogate pair. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return text.slice(0, count).replace(/[\ud800-\udbff]$/, '');
}
