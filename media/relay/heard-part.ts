/** About how long a character is spoken. */
export const msPerCharacter = 65;

/** How much of texts that are spoken one after the other was heard: all before `index`, and `length` characters of that one. */
export interface HeardPart {
  index: number;
  length: number;
}

/**
 * Finds the words that were heard in what was to be spoken. The carrier writes them with other spaces, and may tell only the latest sentence;
 * where it tells none that are known, the time decides. @param ms for how long it was heard
 */
export function heardPart(texts: readonly string[], heard: string, ms: number): HeardPart {
  const all = texts.join('');
  const places = [...all.matchAll(/\S/g)].map((match) => match.index);
  const bare = places.map((place) => all[place]).join('');
  const wanted = heard.replace(/\s+/g, '');
  const found = wanted === '' ? -1 : bare.indexOf(wanted);
  if (found >= 0) return partAt(texts, (places[found + wanted.length - 1] ?? 0) + 1);
  return partAt(texts, wholeWords(all, Math.floor(ms / msPerCharacter)));
}

function partAt(texts: readonly string[], end: number): HeardPart {
  let left = end;
  for (const [index, text] of texts.entries()) {
    if (left < text.trimEnd().length) return { index, length: left };
    left = Math.max(0, left - text.length);
  }
  return { index: texts.length, length: 0 };
}

/** The end of the last whole word. */
function wholeWords(text: string, end: number): number {
  if (end >= text.length || /^\s/.test(text.slice(end))) return end;
  return text.slice(0, end).replace(/\S*$/, '').length;
}
