const urls = /https?:\/\/[^\s<>()[\]]+/giu;
const pictures = /\[(?:image|cid):[^\]\n]{0,200}\]/giu;

/** Letters and digits alone: what is left of a text however a program wraps, marks and decorates it. */
export function normalizeForMatching(text: string): string {
  return text
    .replace(urls, ' ')
    .replace(pictures, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/[^\p{L}\p{N}\p{M}]+|[\ufe00-\ufe0f]+/gu, '');
}

/** A place in one of the texts, behind what has been read. */
interface Place {
  text: number;
  at: number;
}

/** So many letters in a row are found by chance in no other text. */
const longEnough = 16;
/** The same beginning may stand in many places of texts that are made so. */
const maxPlaces = 50;
const maxLetters = 150_000;

/** Texts that a mail may quote, whose lines are found again in their order. */
export class QuoteMatcher {
  readonly #texts: string[] = [];
  readonly #long = new Map<string, Place[]>();
  /** Sentences and lines, whole. */
  readonly #short = new Map<string, Place[]>();
  #letters = 0;

  /** @param texts the newest first: what is beyond some 150,000 letters is left out */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      if (this.#letters >= maxLetters) break;
      this.#add(text);
    }
  }

  #add(text: string): void {
    const words = text
      .replace(urls, ' ')
      .replace(pictures, ' ')
      .slice(0, maxLetters)
      .split(/(?<=[\s.!?。！？…:;])/u);
    const at = this.#texts.length;
    const starts: number[] = [];
    let whole = '';
    let sentence = { from: 0, letters: '' };
    let line = { from: 0, letters: '' };
    for (const word of words) {
      const letters = normalizeForMatching(word);
      if (letters !== '') starts.push(whole.length);
      whole += letters;
      sentence.letters += letters;
      line.letters += letters;
      const endsLine = word.includes('\n');
      if (endsLine || /[.!?。！？…:;]$/u.test(word)) {
        this.#addShort(at, sentence);
        sentence = { from: whole.length, letters: '' };
      }
      if (endsLine) {
        this.#addShort(at, line);
        line = { from: whole.length, letters: '' };
      }
    }
    this.#addShort(at, sentence);
    this.#addShort(at, line);
    this.#texts.push(whole);
    this.#letters += whole.length;
    for (const start of starts) {
      const key = whole.slice(start, start + longEnough);
      if (key.length === longEnough) put(this.#long, key, { text: at, at: start });
    }
  }

  #addShort(text: number, { from, letters }: { from: number; letters: string }): void {
    if (letters !== '' && letters.length < longEnough) put(this.#short, letters, { text, at: from });
  }

  /** Where the letters of a line go on from one of these places; empty: nowhere. */
  after(places: readonly Place[], letters: string): Place[] {
    return places.filter((place) => this.#has(place, letters)).map((place) => behind(place, letters));
  }

  /**
   * Behind the letters of a line, wherever they stand. Few letters count only where they are a sentence or line;
   * @param onlyFirst and, if so, only where a text begins
   */
  anywhere(letters: string, { onlyFirst }: { onlyFirst: boolean }): Place[] {
    const isLong = letters.length >= longEnough;
    const found = isLong ? this.#long.get(letters.slice(0, longEnough)) : this.#short.get(letters);
    return (found ?? [])
      .filter((place) => (isLong || !onlyFirst || place.at === 0) && this.#has(place, letters))
      .map((place) => behind(place, letters));
  }

  #has({ text, at }: Place, letters: string): boolean {
    return this.#texts[text]?.startsWith(letters, at) === true;
  }
}

function behind({ text, at }: Place, letters: string): Place {
  return { text, at: at + letters.length };
}

function put(map: Map<string, Place[]>, key: string, place: Place): void {
  const places = map.get(key);
  if (places === undefined) map.set(key, [place]);
  else if (places.length < maxPlaces) places.push(place);
}
