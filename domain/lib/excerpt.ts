/** A part of an excerpt, plain text. */
export interface ExcerptPart {
  text: string;
  /** Whether it is a word that was searched for. */
  isFound: boolean;
}

/** What was searched for. */
export interface Wanted {
  /** Whether a word, as it stands in the text, is among the words. */
  isFound(word: string): boolean;
  /** From `runsIn`: the words in scripts without spaces. */
  runs: readonly string[];
}

/** Scripts whose words are found within a run of letters, as the function `search_text` of the database divides them. */
const unspaced = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー`;
const letter = String.raw`(?![${unspaced}])[\p{L}\p{M}\p{N}]`;
/** Letters and digits, with single signs between them, as in addresses and numbers; or a run of a script without spaces. */
const wordOrRun = new RegExp(`(?:${letter})+(?:[@._/:+-](?:${letter})+)*|(?<run>[${unspaced}]+)`, 'gu');

/** Returns the words of a text that has spaces between them, each once. */
export function wordsIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(wordOrRun)].flatMap(({ 0: word, groups }) => (groups?.run === undefined ? [word] : [])),
  );
}

/** Returns the words of a query in scripts without spaces, also in their usual width. */
export function runsIn(query: string): string[] {
  const written = [...query.matchAll(wordOrRun)].flatMap(({ groups }) => groups?.run ?? []);
  return [...new Set([...written, ...written.map((run) => run.normalize('NFKC'))])];
}

/** A fragment has about so many characters, and so many stand before the first word that was found. */
const fragmentCharacters = 180;
const charactersBefore = 60;
const maxFragments = 2;

/** Returns the parts of a text around the first words that were found in it, with ` … ` where something is left out. */
export function excerptOf(text: string, wanted: Wanted): ExcerptPart[] {
  const marks = marksIn(text, wanted);
  const parts: ExcerptPart[] = [];
  let end = 0;
  for (let count = 0; count < maxFragments; count += 1) {
    const first = marks.find(({ from }) => from >= end);
    if (first === undefined && count > 0) break;
    const begin = Math.max(end, first === undefined ? 0 : placeToBegin(text, first.from));
    if (count > 0 && begin > end) parts.push({ text: ' … ', isFound: false });
    end = placeToEnd(text, begin, first?.to ?? 0);
    parts.push(...partsOf(text, begin, end, marks));
  }
  return parts;
}

interface Mark {
  from: number;
  to: number;
}

function marksIn(text: string, { isFound, runs }: Wanted): Mark[] {
  return [...text.matchAll(wordOrRun)].flatMap(({ 0: word, index, groups }) => {
    if (groups?.run !== undefined) return placesOf(runs, word, index);
    return isFound(word) ? [{ from: index, to: index + word.length }] : [];
  });
}

/** Where one of the runs stands in a longer one, the longest where several begin; all of it if it has one in other forms of letters. */
function placesOf(runs: readonly string[], within: string, offset: number): Mark[] {
  const places: Mark[] = [];
  for (let at = 0; at < within.length; ) {
    const here = runs.filter((run) => within.startsWith(run, at));
    const length = Math.max(0, ...here.map((run) => run.length));
    if (length > 0) places.push({ from: offset + at, to: offset + at + length });
    at += Math.max(1, length);
  }
  const usual = within.normalize('NFKC');
  if (places.length === 0 && usual !== within && runs.some((run) => usual.includes(run)))
    return [{ from: offset, to: offset + within.length }];
  return places;
}

function partsOf(text: string, begin: number, end: number, marks: readonly Mark[]): ExcerptPart[] {
  const parts: ExcerptPart[] = [];
  let at = begin;
  for (const { from, to } of marks) {
    if (from < begin || to > end) continue;
    parts.push({ text: text.slice(at, from), isFound: false }, { text: text.slice(from, to), isFound: true });
    at = to;
  }
  parts.push({ text: text.slice(at, end), isFound: false });
  return parts.filter((part) => part.text !== '');
}

/** Some characters before a place, at the beginning of a word. */
function placeToBegin(text: string, place: number): number {
  const earliest = place - charactersBefore;
  if (earliest <= 0) return 0;
  const space = text.slice(earliest, place).search(/\s\S/);
  return space < 0 ? betweenCharacters(text, earliest) : earliest + space + 1;
}

/** The end of a fragment, after a word; never before the word that it is for. */
function placeToEnd(text: string, begin: number, min: number): number {
  const latest = begin + fragmentCharacters;
  if (latest >= text.length) return text.length;
  const space = text.lastIndexOf(' ', latest);
  const end = space > begin + charactersBefore ? space : betweenCharacters(text, latest);
  return Math.max(end, min);
}

/** The first place from here on at which no character is divided. */
function betweenCharacters(text: string, place: number): number {
  let at = place;
  while (/^(?:\p{Surrogate}|\p{M})/u.test(text.slice(at, at + 2))) at += 1;
  return at;
}
