/** A part of an excerpt, plain text. */
export interface ExcerptPart {
  text: string;
  /** Whether it is a word that was searched for. */
  isFound: boolean;
}

/** Splits a headline at the marks around the words that were found, which stand nowhere else in it. */
export function excerptOf(headline: string, marks: { before: string; after: string }): ExcerptPart[] {
  const parts = headline.split(marks.before).flatMap((piece, index) => {
    if (index === 0) return [{ text: piece, isFound: false }];
    const [word = '', rest = ''] = piece.split(marks.after);
    return [
      { text: word, isFound: true },
      { text: rest, isFound: false },
    ];
  });
  return parts.filter(({ text }) => text !== '');
}
