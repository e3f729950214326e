import { selectFoundWords, spaceWords } from '../../db/lib/search-words.js';
import type { Tx } from '../../db/tx.js';
import { type ExcerptPart, excerptOf, runsIn, wordsIn } from '../lib/excerpt.js';

export interface SearchedText {
  text: string;
  /** A text search configuration of PostgreSQL. */
  language: string;
}

/** Of more different words, the last texts have none marked. */
const maxWords = 20_000;

/**
 * Returns an excerpt of each text, with the words of a search marked in whatever form they stand there.
 * @param words from `SearchWords`
 */
export async function excerptsOf(
  tx: Tx,
  query: string,
  words: string,
  texts: readonly SearchedText[],
): Promise<ExcerptPart[][]> {
  const asked = new Map<string, { language: string; word: string }>();
  for (const { text, language } of texts) {
    for (const word of wordsIn(text)) {
      if (asked.size < maxWords) asked.set(keyOf(language, word), { language, word });
    }
  }
  const found = new Set(
    (await selectFoundWords(tx, words, [...asked.values()])).map(({ language, word }) =>
      keyOf(language, word),
    ),
  );
  const runs = runsIn(`${query} ${spaceWords(query)}`);
  return texts.map(({ text, language }) =>
    excerptOf(text, { isFound: (word) => found.has(keyOf(language, word)), runs }),
  );
}

function keyOf(language: string, word: string): string {
  return `${language} ${word}`;
}
