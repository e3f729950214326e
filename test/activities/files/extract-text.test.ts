import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ExtractionLimits,
  extractionLimits,
  type extractText,
} from '../../../activities/files/extract-text.js';
import { pdfBomb, pdfOf, wordDocument, zip } from '../../support/files/samples.js';
import { build } from '../../support/run/backend-client.js';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Pages of a long document. */
const manyPages = Number(process.env.TEST_ROWS ?? 100_000) / 100;

let folder = '';
/** That of the compiled program: the loader of the tests takes up to 300 MB of the process's memory. */
let extract: typeof extractText;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extract-'));
  const { dist } = await build();
  const program: { extractText: typeof extractText } = await import(
    join(dist, 'activities/files/extract-text.js')
  );
  extract = program.extractText;
});
afterAll(() => rm(folder, { recursive: true }));

interface Asked {
  fromPage?: number;
  limits?: Partial<ExtractionLimits>;
  signal?: AbortSignal;
}

let files = 0;
async function* pagesOf(content: Uint8Array | string, mimeType: string, asked: Asked = {}) {
  const path = join(folder, String(++files));
  await writeFile(path, content);
  const { fromPage = 1, limits, signal } = asked;
  yield* extract({
    path,
    mimeType,
    fromPage,
    limits: { ...extractionLimits, ...limits },
    ...(signal === undefined ? {} : { signal }),
  });
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function textOf(content: Uint8Array | string, mimeType: string, asked: Asked = {}) {
  return listOf(pagesOf(content, mimeType, asked));
}

describe('the text of a PDF', () => {
  test('comes by page; pages without text are left out', async () => {
    expect(await textOf(pdfOf(['First\nsecond line', '', 'Third (page)']), 'application/pdf')).toEqual([
      { page: 1, text: 'First\nsecond line' },
      { page: 3, text: 'Third (page)' },
    ]);
  });

  test('goes on from a page', async () => {
    expect(await textOf(pdfOf(['one', 'two', 'three']), 'application/pdf', { fromPage: 3 })).toEqual([
      { page: 3, text: 'three' },
    ]);
  });

  test('of a scan is empty', async () => {
    expect(await textOf(pdfOf(['', '']), 'application/pdf')).toEqual([]);
  });

  test('that is locked by a password is refused', async () => {
    await expect(textOf(pdfOf(['secret'], { locked: true }), 'application/pdf')).rejects.toMatchObject({
      name: 'Error',
      reason: 'password',
    });
  });

  test('that is cut off is refused', async () => {
    await expect(textOf(Buffer.from('%PDF-1.4\n1 0 obj\n'), 'application/pdf')).rejects.toMatchObject({
      reason: 'damaged',
    });
  });

  test(`of ${manyPages} pages comes within the limits`, async () => {
    const pages = Array.from({ length: manyPages }, (_, at) => `This is page ${at + 1} of many`);
    let last = { page: 0, text: '' };
    let count = 0;
    for await (const page of pagesOf(pdfOf(pages), 'application/pdf')) {
      last = page;
      count += 1;
    }
    expect({ count, last }).toEqual({
      count: manyPages,
      last: { page: manyPages, text: `This is page ${manyPages} of many` },
    });
  }, 600_000);

  test('with 400 MB in one page ends by the limit of memory or of time', async () => {
    const bomb = pdfBomb(400);
    expect(bomb.byteLength).toBeLessThan(1_000_000);
    const reading = textOf(bomb, 'application/pdf', { limits: { pageMs: 20_000 } });
    await expect(reading).rejects.toMatchObject({ reason: expect.stringMatching(/^(memory|time)$/) });
  }, 300_000);
});

describe('the text of a Word document', () => {
  test('comes in parts at paragraphs', async () => {
    const paragraphs = Array.from({ length: 50 }, (_, at) => `${at} ${'word '.repeat(100)}`.trim());
    const parts = await textOf(wordDocument(paragraphs), word);
    expect(parts.map(({ page }) => page)).toEqual([1, 2]);
    expect(parts.map(({ text }) => text).join('\n\n')).toBe(paragraphs.join('\n\n'));
  });

  test.each([
    ['that unpacks to more than its ratio allows', wordDocument(['a'.repeat(20_000_000)])],
    ['that unpacks to more bytes than a document has', wordDocument(['a'.repeat(60_000_000)])],
    [
      'of more entries than a document has',
      wordDocument(['a'], {
        before: Array.from({ length: 2_001 }, (_, at) => [`${at}`, ''] as [string, string]),
      }),
    ],
  ])('%s is refused', async (_what, content) => {
    await expect(textOf(content, word)).rejects.toMatchObject({ reason: 'too_large_inside' });
  });

  test.each([
    [
      'whose directory lies about a size',
      wordDocument(['a'], { before: [{ name: 'x', content: 'a'.repeat(9_000), declaredBytes: 10 }] }),
    ],
    ['that is another archive', zip([['readme.txt', 'hello']])],
    ['that is cut off', wordDocument(['a']).subarray(0, 200)],
  ])('%s is refused', async (_what, content) => {
    await expect(textOf(content, word)).rejects.toMatchObject({ reason: 'damaged' });
  });
});

describe('the text of other files', () => {
  test('is that of the file, in UTF-16 as well', async () => {
    const text = '\ufeffÖffnungszeiten\r\n\r\nMontag';
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ]) {
      expect(await textOf(bytes, 'text/plain')).toEqual([{ page: 1, text: 'Öffnungszeiten\n\nMontag' }]);
    }
  });

  test('is in parts when it has one paragraph without an end', async () => {
    const parts = await textOf('word '.repeat(100_000), 'text/markdown');
    expect(parts.length).toBeGreaterThan(20);
    expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThan(70_000);
  });

  test('of a table without rows is its header', async () => {
    expect(await textOf('name;city\n', 'text/csv')).toEqual([{ page: 1, text: 'name; city' }]);
  });

  test('of a table names the column of each cell', async () => {
    expect(await textOf('name;city\nAda;Vienna\nGrace;\n', 'text/csv')).toEqual([
      { page: 1, text: 'name: Ada; city: Vienna\n\nname: Grace' },
    ]);
  });
});

describe('the process that reads', () => {
  test('ends when it writes more than allowed', async () => {
    const reading = textOf('word '.repeat(100_000), 'text/plain', { limits: { outputBytes: 100_000 } });
    await expect(reading).rejects.toMatchObject({ reason: 'output' });
  });

  test('ends when a page takes too long', async () => {
    await expect(textOf(pdfOf(['a']), 'application/pdf', { limits: { pageMs: 1 } })).rejects.toMatchObject({
      reason: 'time',
    });
  });

  test('that fails by itself is told from a file that cannot be read', async () => {
    await expect(textOf('a', 'image/png')).rejects.toMatchObject({ reason: 'crashed' });
  });

  test('ends with its caller', async () => {
    const caller = new AbortController();
    const pages = pagesOf('word '.repeat(1_000_000), 'text/plain', { signal: caller.signal });
    expect((await pages.next()).value).toMatchObject({ page: 1 });
    caller.abort();
    await expect(listOf(pages)).rejects.toThrow('aborted');
  });

  test('gives nothing more to a caller that stops early', async () => {
    for await (const { page } of pagesOf('word '.repeat(1_000_000), 'text/plain')) {
      expect(page).toBe(1);
      break;
    }
  });
});
