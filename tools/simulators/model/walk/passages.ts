import { isObject } from '../../support/read-json.js';
import type { Turn } from './read-turn.js';
import { sharedWords, tellingWords } from './words.js';

/** What `search_files` has found for the person's question: the sentence that shares most words with it. */
export function passageFor({ called }: Turn): string {
  const found = called?.result ?? {};
  const passages = Array.isArray(found.passages) ? found.passages : [];
  const wanted = tellingWords(called?.arguments ?? '');
  const sentences = passages.filter(isObject).flatMap(({ file, webPage, page, text }) => {
    const place = page === undefined ? `“${file ?? webPage}”` : `“${file}”, page ${page}`;
    return String(text)
      .split(/(?<=[.!?])\s+|\n+/)
      .map((sentence) => ({ sentence, place, shared: sharedWords(sentence, wanted) }));
  });
  const [best] = sentences.sort((one, other) => other.shared - one.shared);
  if (best !== undefined) return `${best.place} says: ${best.sentence}`;
  return found.filesNotIndexedYet !== undefined
    ? 'Some of our files have yet to be read; please ask again later.'
    : 'Our files do not say.';
}
