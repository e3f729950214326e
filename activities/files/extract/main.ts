/**
 * Writes the text of a file as lines of JSON, one for each page, to its standard output. It is a process of its own
 * because files can make their readers use any time and memory (`../extract-text.ts`).
 * Arguments: path, MIME type, the first page to write.
 */
import { once } from 'node:events';
import type { ExtractorLine, TextPage } from './lines.js';
import { csvPages } from './readers/csv.js';
import { pdfPages } from './readers/pdf.js';
import { textPages } from './readers/text.js';
import { wordPages } from './readers/word.js';
import { Refused } from './refused.js';

const readers: Record<string, (path: string, fromPage: number) => AsyncIterable<TextPage>> = {
  'application/pdf': pdfPages,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': wordPages,
  'text/csv': csvPages,
  'text/markdown': textPages,
  'text/plain': textPages,
};

async function write(line: ExtractorLine): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

const [path = '', mimeType = '', fromPage = '1'] = process.argv.slice(2);
const reader = readers[mimeType];
if (reader === undefined) throw new Error('there is no reader for this kind of file');
try {
  for await (const page of reader(path, Number(fromPage))) await write(page);
  await write({ finished: true });
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  await write({ refused: error.reason });
}
