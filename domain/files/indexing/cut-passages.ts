/** Passages have about so many characters. */
const passageCharacters = 800;
/** The end of a passage is the beginning of the next, so that a sentence across both is found. */
const overlapCharacters = 120;
/** Kept far below what PostgreSQL reads as words (1 MiB), and short enough for a model to read several. */
const maxPassageLength = 1_600;

/** Cuts a text into passages, at paragraphs where it has any, else at sentences, else at words. */
export function cutPassages(text: string): string[] {
  const passages: string[] = [];
  let passage = '';
  for (const piece of piecesOf(storable(text))) {
    if (passage !== '' && passage.length + piece.length > passageCharacters) {
      passages.push(passage);
      passage = endOf(passage);
    }
    passage += passage === '' ? piece : `\n${piece}`;
  }
  if (passage !== '') passages.push(passage);
  return passages;
}

/** Words are found in their composed form. PostgreSQL stores no NUL and no half characters. */
function storable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/\p{Surrogate}/gu, ' ')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .replace(/[^\S\n]+/g, ' ');
}

function* piecesOf(text: string): Generator<string> {
  for (const paragraph of text.split(/\n\s*\n/)) {
    const trimmed = paragraph.trim();
    if (trimmed === '') continue;
    if (trimmed.length <= passageCharacters) yield trimmed;
    else yield* sentencesOf(trimmed);
  }
}

/** Sentences together, as many as a passage has room for. */
function* sentencesOf(paragraph: string): Generator<string> {
  let piece = '';
  for (const sentence of paragraph.split(/(?<=[.!?\n])\s+/)) {
    if (piece !== '' && piece.length + sentence.length > passageCharacters) {
      yield piece;
      piece = '';
    }
    piece += piece === '' ? sentence : ` ${sentence}`;
    while (piece.length > maxPassageLength - overlapCharacters) {
      const at = placeToCut(piece, passageCharacters);
      yield piece.slice(0, at).trimEnd();
      piece = piece.slice(at).trimStart();
    }
  }
  if (piece !== '') yield piece;
}

/** After the last space before the limit, and between characters. */
function placeToCut(text: string, limit: number): number {
  const space = text.lastIndexOf(' ', limit);
  if (space > limit / 2) return space;
  const isHalf = /[\udc00-\udfff]/.test(text[limit] ?? '');
  return isHalf ? limit - 1 : limit;
}

/** The last words of a passage. */
function endOf(passage: string): string {
  const end = passage.slice(-overlapCharacters);
  const space = end.search(/\s/);
  return space < 0 ? '' : end.slice(space).trim();
}
