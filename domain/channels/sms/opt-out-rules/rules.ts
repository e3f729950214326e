/**
 * How people say, in one language, that they want no more messages or calls. Texts are compared as `plain` writes them:
 * lower case, without accents of Latin letters, apostrophes and punctuation, one sentence at a time.
 */
export interface OptOutRules {
  /** Sentences that opt out. */
  says: readonly RegExp[];
  /** Sentences that may, so that a person is asked. */
  hints: readonly RegExp[];
  /** Words of stopping and of messages: a person is asked about what has both. */
  both: readonly [stopping: RegExp, messages: RegExp];
  /** Sentences that have the words and say something else, as "don't stop". */
  never: readonly RegExp[];
  /** A time, a topic or another channel is meant, so that a person is asked. */
  doubts: readonly RegExp[];
  /** Questions that ask for it, as "could you stop". */
  requests: RegExp;
}

/** A pattern in pieces; names in braces are replaced by the lists of words of the language. */
export function patterns(lists: Record<string, string>, ...texts: readonly string[]): RegExp[] {
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => `(?:${filled(lists[name] ?? '')})`);
  return texts.map((text) => new RegExp(filled(text).normalize('NFKD').normalize('NFC'), 'u'));
}
