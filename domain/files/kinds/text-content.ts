import { TextDecoder } from 'node:util';
import type { FileSource } from './file-source.js';

export interface TextContent {
  /** The text, or its beginning if it is longer than `maxWholeLength`. */
  beginning: string;
  whole: boolean;
  /** The last characters. */
  end: string;
}

const pieceBytes = 256 * 1024;
const maxWholeLength = 1024 * 1024;
const endCharacters = 100;

/** Returns the encoding that the byte order mark names, or UTF-8. */
export function textEncodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Reads a file as text, a piece at a time. @returns undefined if it is not valid text, or has a NUL character */
export async function readText(source: FileSource): Promise<TextContent | undefined> {
  let decoder: TextDecoder | undefined;
  let beginning = '';
  let end = '';
  let whole = true;
  for (let at = 0; at < source.bytes; at += pieceBytes) {
    const piece = await source.read(at, pieceBytes);
    decoder ??= new TextDecoder(textEncodingOf(piece), { fatal: true });
    const text = decoded(decoder, piece, at + pieceBytes >= source.bytes);
    if (text === undefined || text.includes('\0')) return undefined;
    if (beginning.length < maxWholeLength) beginning += text;
    else whole = false;
    end = (end + text).slice(-endCharacters);
  }
  return { beginning, whole, end };
}

function decoded(decoder: TextDecoder, piece: Uint8Array, last: boolean): string | undefined {
  try {
    return decoder.decode(piece, { stream: !last });
  } catch {
    return undefined;
  }
}
