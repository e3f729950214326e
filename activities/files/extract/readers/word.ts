import mammoth from 'mammoth';
import type { TextPage } from '../lines.js';
import { Refused } from '../refused.js';
import { checkArchive } from './check-archive.js';
import { partsOf } from './parts.js';

/** The archive is checked first, because the reader unpacks it into memory. */
export async function* wordPages(path: string, fromPage: number): AsyncIterable<TextPage> {
  await checkArchive(path);
  yield* partsOf(paragraphsOf(await textOf(path)), fromPage);
}

async function textOf(path: string): Promise<string> {
  try {
    return (await mammoth.extractRawText({ path })).value;
  } catch {
    throw new Refused('damaged');
  }
}

async function* paragraphsOf(text: string): AsyncIterable<string> {
  yield* text.split('\n\n');
}
