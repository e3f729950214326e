import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { textEncodingOf } from '../../../../domain/files/kinds/text-content.js';
import type { TextPage } from '../lines.js';
import { Refused } from '../refused.js';
import { partsOf } from './parts.js';

export function textPages(path: string, fromPage: number): AsyncIterable<TextPage> {
  return partsOf(paragraphsOf(decodedPieces(path)), fromPage);
}

/** Reads a text in the encoding that it names. */
export async function* decodedPieces(path: string): AsyncIterable<string> {
  const decoder = new TextDecoder(await encodingOf(path), { fatal: true });
  try {
    for await (const piece of createReadStream(path)) yield decoder.decode(piece as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new Refused('damaged');
    throw error;
  }
}

async function encodingOf(path: string) {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return textEncodingOf(buffer);
  } finally {
    await file.close();
  }
}

/** A paragraph without an end is given in pieces. */
const maxParagraphLength = 64 * 1024;

async function* paragraphsOf(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let rest = '';
  for await (const piece of pieces) {
    const paragraphs = (rest + piece).split(/\r?\n[ \t]*\r?\n/);
    rest = paragraphs.pop() ?? '';
    yield* paragraphs;
    if (rest.length > maxParagraphLength) {
      yield rest;
      rest = '';
    }
  }
  yield rest;
}
