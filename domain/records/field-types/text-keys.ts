import { createHash } from 'node:crypto';

/** Texts up to this length are compared whole. */
const maxKeyLength = 200;
/** Of longer ones so much, and then by whether they are the same. */
const keyHeadLength = 150;
const maxWordLength = 60;
const notInWords = /[^\p{L}\p{M}\p{N}]+/u;
const accents = /[\u0300-\u036f]/g;

/**
 * What a text is compared, sorted and held to be unique by: letter case, width and runs of white space make no
 * difference. Of a text beyond 200 characters, its first 150 and a digest of it all.
 */
export function textKey(text: string): string {
  const normal = normalizeText(text);
  if (normal.length <= maxKeyLength) return normal;
  return `${firstCharacters(normal, keyHeadLength)}${createHash('sha256').update(normal).digest('base64url')}`;
}

/** What every key begins with whose text begins with this; cut where keys of long texts end to be text. */
export function keyPrefix(text: string): string {
  return firstCharacters(normalizeText(text), keyHeadLength);
}

/** The words of a text as they are searched: without accents as well, each once. */
export function wordsOf(text: string): string[] {
  const folded = normalizeText(text).normalize('NFKD').replace(accents, '').normalize('NFKC');
  const words = folded.split(notInWords).filter((word) => word !== '');
  return [...new Set(words.map((word) => firstCharacters(word, maxWordLength)))];
}

/**
 * The least text that is greater than all that begin with this one, as PostgreSQL's collation C compares: by code
 * points. Null when there is none.
 */
export function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // Between these two lie the surrogates, which are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return null;
}

function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/** Never half a character. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return text.slice(0, count).replace(/[\ud800-\udbff]$/, '');
}
