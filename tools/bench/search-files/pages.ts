import type { PageOfPassages } from '../../../db/files/file-passages.js';
import { insertIndexedFile } from '../../../test/support/files/indexed-file.js';
import type { TestWorkspace } from '../../../test/support/workspace/factories.js';

/** In each group there are so many pages, however many there are. */
export const pagesInGroup = 20;
const pagesOfFile = 500;
const passagesOfPage = 3;
const wordsOfPassage = 120;

/** Files with so many pages in all, as a clinic's handbooks: each page has the word of its group, and each tenth one `weekly`. */
export async function addPages(workspace: TestWorkspace, total: number): Promise<void> {
  const numbers = Array.from({ length: total }, (_, at) => at);
  for (let from = 0; from < total; from += pagesOfFile) {
    const pages = numbers
      .slice(from, from + pagesOfFile)
      .map((number, at) => ({ page: at + 1, passages: passagesOf(number, total / pagesInGroup) }));
    await insertIndexedFile(workspace, { title: `Handbook ${from}`, mimeType: 'application/pdf', pages });
  }
}

function passagesOf(number: number, groups: number): PageOfPassages['passages'] {
  const marks = [`group${number % groups}`, ...(number % 10 === 0 ? ['weekly'] : [])];
  return Array.from({ length: passagesOfPage }, (_, at) => {
    const words = Array.from({ length: wordsOfPassage }, (_, place) =>
      wordAt(number * 7_919 + at * 104_729 + place),
    );
    return [...(at === 0 ? marks : []), ...words].join(' ');
  });
}

const common = 'the of and a to in is that for it with on this are be not from or by an'.split(' ');

/** Half of the words are common ones, the others one of 3,000. */
function wordAt(seed: number): string {
  const mixed = Math.imul(seed ^ (seed >>> 15), 2_246_822_519) >>> 0;
  return mixed % 2 === 0 ? (common[(mixed >>> 1) % common.length] ?? '') : `word${(mixed >>> 1) % 3_000}`;
}
