const maxCharacters = 8_000;

/**
 * Puts a prompt together that comes in parts. Whether a part repeats those before it is not published, so both are understood.
 */
export class PromptParts {
  #text = '';

  /** @returns the whole prompt with its last part; undefined before, and if it has no words */
  add(part: string, isLast: boolean): string | undefined {
    const before = this.#text;
    const isRepeated = part.trim().startsWith(before.trim());
    this.#text = (isRepeated ? part : `${before} ${part}`).slice(0, maxCharacters);
    if (!isLast) return undefined;
    const text = this.#text.trim();
    this.#text = '';
    return text === '' ? undefined : text;
  }
}
