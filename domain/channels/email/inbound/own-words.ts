import { normalizeForMatching, QuoteMatcher } from './quote-matcher.js';

export interface ReadText {
  /** What the sender has written. */
  own: string;
  /** The whole, where it has more: what is quoted of the thread. */
  whole: string | null;
}

/** What is known of the thread that a mail answers. */
export interface KnownThread {
  /** The texts of its messages, and of what is added to ours, the newest first. */
  texts: readonly string[];
  inbox: Correspondent;
  sender: Correspondent;
}

interface Correspondent {
  address: string;
  /** As which it appears; empty: none. */
  name: string;
}

/** Longer mails are not searched: people do not write them. */
const maxSearchedLength = 100_000;
const maxLines = 5_000;

/**
 * Parts what the sender has written from what is quoted of the thread: what the thread does not know is the sender's own,
 * and stays. The whole counts as written where own words stand on both sides of a quotation, or it on both sides of them,
 * because the answers would lose their questions; where nothing else is left; and in a mail that answers nothing of ours.
 */
export function ownWords(text: string, thread: KnownThread | null): ReadText {
  const whole = text.trim();
  const all = { own: whole, whole: null };
  if (thread === null || whole.length > maxSearchedLength) return all;
  const lines = whole.split(/\r\n?|\n/);
  if (lines.length > maxLines) return all;
  const known = new Known(thread);
  if (!lines.some((line) => line.trimStart().startsWith('>') || known.isNamed(line))) return all;
  const kinds = kindsOf(lines.map(readLine), known);
  const isOwn = (kind: Kind) => kind === 'own';
  const first = kinds.findIndex(isOwn);
  const last = kinds.findLastIndex(isOwn);
  const isQuoted = (part: readonly Kind[]) => part.includes('quoted');
  const before = isQuoted(kinds.slice(0, Math.max(first, 0)));
  const behind = isQuoted(kinds.slice(last + 1));
  if (first < 0 || before === behind || isQuoted(kinds.slice(first, last))) return all;
  const own = lines.slice(before ? first : 0, behind ? last + 1 : lines.length);
  return { own: own.join('\n').trim(), whole };
}

/** `neutral`: without a letter or digit. */
type Kind = 'own' | 'quoted' | 'neutral';

interface Line {
  text: string;
  letters: string;
  isMarked: boolean;
}

/** Marks of writing direction stand around names and times in mails from right to left. */
const directions = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const mark = /^[ \t\u00a0]*>[> \t\u00a0]*/;

function readLine(line: string): Line {
  const plain = line.replace(directions, '');
  const text = plain.replace(mark, '').trim();
  return { text, letters: normalizeForMatching(text), isMarked: mark.test(plain) };
}

class Known {
  readonly quotable: QuoteMatcher;
  readonly #addresses: readonly string[];
  readonly #ours: readonly string[];
  readonly #sender: readonly string[];

  constructor({ texts, inbox, sender }: KnownThread) {
    this.quotable = new QuoteMatcher(texts);
    this.#addresses = [inbox.address, sender.address].map((address) => address.toLowerCase());
    this.#ours = namesOf(inbox);
    this.#sender = namesOf(sender);
  }

  /** Whether a line has an address of those who write in the thread. */
  hasAddress(line: string): boolean {
    const plain = withoutTokens(line);
    return this.#addresses.some((address) => plain.includes(address));
  }

  isOurs(line: string): boolean {
    return withoutTokens(line).includes(this.#addresses[0] as string) || hasAny(line, this.#ours);
  }

  isNamed(line: string): boolean {
    return this.hasAddress(line) || hasAny(line, this.#ours) || hasAny(line, this.#sender);
  }
}

function withoutTokens(line: string): string {
  return line.toLowerCase().replace(/\+[rb]\.[a-z2-7]{26}@/g, '@');
}

function namesOf({ name }: Correspondent): string[] {
  return [normalizeForMatching(name)].filter(({ length }) => length > 2);
}

function hasAny(line: string, names: readonly string[]): boolean {
  const letters = names.length === 0 ? '' : normalizeForMatching(line);
  return names.some((name) => letters.includes(name));
}

function kindsOf(lines: readonly Line[], known: Known): Kind[] {
  const introductions = introductionsIn(lines, known);
  const kinds: Kind[] = [];
  let places: ReturnType<QuoteMatcher['anywhere']> = [];
  let isIntroduced = false;
  for (const [at, { letters, isMarked }] of lines.entries()) {
    if (introductions.has(at)) {
      isIntroduced = true;
      places = [];
      kinds.push('own');
    } else if (letters === '') kinds.push('neutral');
    else {
      places = known.quotable.after(places, letters);
      if (places.length === 0 && (isMarked || isIntroduced)) {
        places = known.quotable.anywhere(letters, { onlyFirst: !isMarked });
      }
      kinds.push(places.length > 0 ? 'quoted' : 'own');
    }
  }
  for (const [at, { end, isHeader }] of [...introductions].reverse()) {
    const next = kinds.findIndex((kind, place) => place >= end && kind !== 'neutral');
    // What introduces nothing that is known is the sender's own, such as values with their names above an answer.
    if (kinds[next] === 'quoted' && !(isHeader && introductions.has(next))) kinds[at] = 'quoted';
  }
  return kinds;
}

interface Introduction {
  end: number;
  isHeader: boolean;
}

/** The lines by which programs introduce what they quote of the thread, in any language, each with where they end. */
function introductionsIn(lines: readonly Line[], known: Known): Map<number, Introduction> {
  const found = new Map<number, Introduction>();
  for (let at = 0; at < lines.length; at += 1) {
    const header = headerAt(lines, at, known);
    const start = header === undefined ? startOfAttribution(lines, at, known) : header.start;
    const end = header?.end ?? at + 1;
    if (start !== undefined) {
      const introduction = { end, isHeader: header !== undefined };
      for (let line = aboveOf(lines, start); line < end; line += 1) found.set(line, introduction);
    }
    at = end - 1;
  }
  return found;
}

/** With a line such as `-----Original Message-----` above. */
function aboveOf(lines: readonly Line[], start: number): number {
  let above = start - 1;
  while (lines[above]?.letters === '') above -= 1;
  return separator.test(lines[above]?.text ?? '') ? above : start;
}

const separator = /^[-_=—–]{3,}[^\n]{1,60}[-_=—–]{3,}$/u;
/** `From: …`, `De : …`, `*Sendt:* …`, `差出人：…` */
const label = /^\*{0,2}\p{L}[\p{L}\p{M}\p{N} .'’()/-]{0,40}\*{0,2}[ \u00a0]?(?::\*{0,2}(?:\s|$)|：)/u;
const labels = { fewest: 3, most: 6 };

/** A header block that begins at a line, and the line at which it begins to be that of a mail of the thread, if it is one. */
function headerAt(
  lines: readonly Line[],
  from: number,
  known: Known,
): { start: number | undefined; end: number } | undefined {
  let count = 0;
  let end = from;
  for (; end < lines.length; end += 1) {
    const { text = '', isMarked } = lines[end] ?? {};
    if (isMarked !== lines[from]?.isMarked) break;
    if (label.test(text)) count += 1;
    // Many recipients go on in a further line.
    else if (count === 0 || !text.includes('@')) break;
  }
  if (count < labels.fewest) return undefined;
  const block = lines.slice(from, end).map(({ text }) => text);
  const ours = block.findIndex((line) => known.isOurs(line));
  if (ours < 0) return { start: undefined, end };
  const isAllOfIt = count <= labels.most && known.isNamed(block[0] as string);
  // What stands above the sender is not of the header: values that the sender gives with their names.
  const first = isAllOfIt ? 0 : block.findIndex((line) => known.hasAddress(line) || known.isOurs(line));
  return {
    start: from + (block.length - first >= labels.fewest ? first : Math.max(0, block.length - 4)),
    end,
  };
}

/** Where the sentence begins by which a program says who wrote what follows, and which ends at a line with a colon. */
function startOfAttribution(lines: readonly Line[], end: number, known: Known): number | undefined {
  if (!/[:：]$/u.test(lines[end]?.text ?? '')) return undefined;
  const says = (at: number) => {
    const { text = '' } = lines[at] ?? {};
    return known.hasAddress(text) || (known.isNamed(text) && /\p{Nd}/u.test(text));
  };
  let from = end;
  while (from > end - 3 && !says(from)) {
    if (!isContinued(lines, from)) return undefined;
    from -= 1;
  }
  if (!says(from)) return undefined;
  // A long sentence is wrapped: its date is in the line above.
  const above = lines[from - 1]?.text ?? '';
  const isFirst = (lines[from - 2]?.letters ?? '') === '';
  const tellsWhen = /\p{Nd}{4}/u.test(above) && !/[.!?]$/.test(above);
  return isContinued(lines, from) && isFirst && tellsWhen ? from - 1 : from;
}

function isContinued(lines: readonly Line[], at: number): boolean {
  const above = lines[at - 1];
  return above !== undefined && above.text !== '' && above.isMarked === lines[at]?.isMarked;
}
