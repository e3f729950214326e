import { withoutMarkdown } from '../../domain/lib/markdown/plain.js';

const mark = /[*_`~[\\]|^ {0,3}[#>|]/m;
const sentenceEnd = /[.!?:]["”’)]*\s+(?=\S)/g;

/** The words of an answer that comes in pieces, without Markdown: what has none goes on at once, the rest with the end of its sentence or line. */
export class PlainWords {
  #held = '';

  /** @returns what can be said */
  add(text: string): string {
    this.#held += text;
    const whole = this.#take(endOfWhole(this.#held));
    const at = this.#held.search(mark);
    // With the word that it is in, or may be: a dose is none.
    const next = at < 0 ? this.#held.replace(/\S*\d$/, '').length : this.#held.slice(0, at).search(/\S*$/);
    const plain = this.#held.slice(0, next);
    this.#held = this.#held.slice(next);
    return whole + plain;
  }

  /** @returns the rest */
  end(): string {
    return this.#take(this.#held.length);
  }

  forget(): void {
    this.#held = '';
  }

  /** Spaces around stay, because pieces are spoken one after the other. */
  #take(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    const words = text.trim();
    return words === '' ? text : text.replace(words, () => withoutMarkdown(words));
  }
}

/** Where the last sentence or line ends within which every mark has its other half. */
function endOfWhole(text: string): number {
  const ends = [...text.matchAll(sentenceEnd)].map(({ 0: end, index }) => index + end.length);
  const sentence = ends.findLast((end) => isWhole(text.slice(0, end))) ?? 0;
  return Math.max(sentence, text.lastIndexOf('\n') + 1);
}

function isWhole(text: string): boolean {
  const count = (sign: string) => text.split(sign).length - 1;
  return ['*', '_', '`', '~'].every((sign) => count(sign) % 2 === 0) && count('[') === count(']');
}
