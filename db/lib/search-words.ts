import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** The words of a query, as the functions that search take them. Both are '' if it has none that can be searched for. */
export interface SearchWords {
  /** In every form that finds them. */
  words: string;
  /** As they are written, with their accents: what has them is the best. */
  asWritten: string;
}

const statements = {
  file: 'select file_search_words(?, ?, false)::text as words, file_search_words(?, ?, true)::text as "asWritten"',
  page: 'select page_search_words(?, ?, false)::text as words, page_search_words(?, ?, true)::text as "asWritten"',
};

/** Reads a query in the languages of the passages of files, or of pages. @param anyWord one of the words is enough, and quotes and signs mean nothing */
export async function readSearchWords(
  tx: Tx,
  passagesOf: 'file' | 'page',
  query: string,
  anyWord: boolean,
): Promise<SearchWords> {
  const spaced = spaceWords(query);
  const [row] = await prepared<SearchWords>(tx, statements[passagesOf], [spaced, anyWord, spaced, anyWord]);
  return row ?? { words: '', asWritten: '' };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const quoted = /(["“”„«»＂][^"“”„«»＂]*["“”„«»＂])/;
/** Words of a character that sentences of Japanese and Chinese are full of, as English ones are of stop words. */
const particle = /^[\p{Script=Hiragana}的了吗嗎呢吧啊]$/u;

/**
 * Puts spaces between the words of a query that are written without, except in quotes: texts are found that have them
 * apart. Which words they are is a guess, and costs nothing where it is wrong: each is found within any other.
 */
export function spaceWords(query: string): string {
  return query
    .split(quoted)
    .map((part, index) => (index % 2 === 1 ? part : spaceOut(part)))
    .join('');
}

function spaceOut(text: string): string {
  const spaced: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    const words = run.filter((word) => !particle.test(word));
    spaced.push((words.length > 0 ? words : run).join(' '));
    run = [];
  };
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) run.push(segment);
    else {
      endRun();
      spaced.push(segment);
    }
  }
  endRun();
  return spaced.join('');
}

/** Parts of a query as PostgreSQL writes them. */
const excludedPhrase = /!\( [^)]*\)/g;
const word = /(!?)('(?:[^']|'')*'(?::\*)?)/g;

/**
 * Returns which of these words of texts are among those of a search, each with its language.
 * @param words from `SearchWords`
 */
export async function selectFoundWords(
  tx: Tx,
  words: string,
  texts: readonly { language: string; word: string }[],
): Promise<{ language: string; word: string }[]> {
  const wanted = [...words.replace(excludedPhrase, '').matchAll(word)].flatMap(([, excluded, text]) =>
    excluded === '' ? [text] : [],
  );
  return prepared(
    tx,
    `select language, word from unnest(?::text[], ?::text[]) as given(language, word)
     where search_vector(language::regconfig, word) @@ ?::tsquery`,
    [texts.map(({ language }) => language), texts.map((text) => text.word), wanted.join(' | ')],
  );
}
