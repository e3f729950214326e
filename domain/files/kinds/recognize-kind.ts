import { type FileMimeType, fileKinds, type RecognizedKind } from './accepted-mime-types.js';
import type { FileSource } from './file-source.js';
import { recognizeBinary } from './recognize-binary.js';
import { recognizeTextKind } from './recognize-text-kind.js';
import { isPdf } from './signatures/pdf.js';
import { readText } from './text-content.js';

/** What the signatures of files are looked for in. */
const headBytes = 64 * 1024;

/**
 * Recognises the kind of a file by its content; the name decides only among kinds of text, which share their contents.
 * A polyglot file can have the content of several kinds, so the kind alone makes no file safe to show: the headers with
 * which bytes are served do.
 * @returns undefined for a file of no accepted kind
 */
export async function recognizeKind(source: FileSource, name: string): Promise<RecognizedKind | undefined> {
  const head = await source.read(0, headBytes);
  const mimeType = await mimeTypeOf(source, head, name);
  return mimeType === undefined ? undefined : { mimeType, kind: fileKinds[mimeType] };
}

async function mimeTypeOf(
  source: FileSource,
  head: Uint8Array,
  name: string,
): Promise<FileMimeType | undefined> {
  // Text comes before signatures, because many are words: "GIF89a" and "ID3" begin texts as well. A PDF may be all text.
  if (await isPdf(source, head)) return 'application/pdf';
  const text = await readText(source);
  return text === undefined ? recognizeBinary(source, head) : recognizeTextKind(text, name);
}
