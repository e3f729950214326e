import type { TextPage } from '../lines.js';

/** About so many characters of a text without pages are one part of it. */
const partCharacters = 16_000;

/** Joins paragraphs to parts, which are numbered as pages are. */
export async function* partsOf(paragraphs: AsyncIterable<string>, fromPage: number): AsyncIterable<TextPage> {
  let page = 1;
  let text = '';
  for await (const paragraph of piecesOf(paragraphs)) {
    text += text === '' ? paragraph : `\n\n${paragraph}`;
    if (text.length < partCharacters) continue;
    if (page >= fromPage) yield { page, text };
    page += 1;
    text = '';
  }
  if (text !== '' && page >= fromPage) yield { page, text };
}

async function* piecesOf(paragraphs: AsyncIterable<string>): AsyncIterable<string> {
  for await (const paragraph of paragraphs) {
    for (let at = 0; at < paragraph.length; at += partCharacters) {
      const piece = paragraph.slice(at, at + partCharacters);
      if (piece.trim() !== '') yield piece;
    }
  }
}
