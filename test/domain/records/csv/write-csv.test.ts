import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../../domain/records/csv/cells.js';
import { parseCsv } from '../../../../domain/records/csv/parse-csv.js';
import { writeCsv } from '../../../../domain/records/csv/write-csv.js';
import { allOf, csvFile } from '../../../support/lib/csv-file.js';
import { hostileText, seeded } from '../../../support/lib/hostile-texts.js';

async function* each<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things;
}

const textOf = async (columns: string[], rows: Cell[][]) =>
  (await allOf(writeCsv(columns, each(rows)))).join('');

describe('writeCsv', () => {
  it('ends lines with CRLF, and quotes only the cells that need it', async () => {
    const rows = [
      ['plain', 'a,b', 'say "a"', 'two\nlines', 'semi;colon', ' blank'],
      [null, '', -5, 1.5, true, false],
    ];

    expect(await textOf(['a', 'b', 'c', 'd', 'e', 'f'], rows)).toBe(
      '\ufeffa,b,c,d,e,f\r\nplain,"a,b","say ""a""","two\nlines","semi;colon"," blank"\r\n,,-5,1.5,true,false\r\n',
    );
  });

  it('writes the column names when there are no rows', async () => {
    expect(await textOf(['a', 'b'], [])).toBe('\ufeffa,b\r\n');
  });

  it('neutralises texts, and leaves numbers unchanged', async () => {
    expect(await textOf(['=a'], [['+12025550123'], ['-5+A1'], [-5]])).toBe(
      "\ufeff'=a\r\n+12025550123\r\n'-5+A1\r\n-5\r\n",
    );
  });

  it('yields pieces before it has read all rows', async () => {
    const asked: number[] = [];
    async function* rows(): AsyncGenerator<Cell[]> {
      for (let row = 0; row < 10_000; row += 1) {
        asked.push(row);
        yield ['x'.repeat(100)];
      }
    }

    for await (const _piece of writeCsv(['a'], rows())) break;

    expect(asked.length).toBeLessThan(1_000);
  });

  it('closes the source of the rows when its reader stops', async () => {
    let isOver = false;
    async function* rows(): AsyncGenerator<Cell[]> {
      try {
        for (;;) yield ['x'.repeat(1_000)];
      } finally {
        isOver = true;
      }
    }

    for await (const _piece of writeCsv(['a'], rows())) break;

    await expect.poll(() => isOver).toBe(true);
  });

  it('fails with the error of the source of the rows', async () => {
    const failure = new Error('the rows are gone');
    // biome-ignore lint/correctness/useYield: it fails before there is anything to give
    async function* rows(): AsyncGenerator<Cell[]> {
      throw failure;
    }
    await expect(allOf(writeCsv(['a'], rows()))).rejects.toBe(failure);
  });
});

it('parseCsv reads what writeCsv wrote, whatever the cells contain', async () => {
  const pick = seeded(4);
  const rows = Array.from({ length: 3_000 }, (_, index) => [
    String(index),
    hostileText(pick),
    hostileText(pick, 60),
    hostileText(pick, 2),
  ]);
  const path = csvFile(await textOf(['id', 'a', 'b', 'c'], rows));

  const read = await allOf(parseCsv(path));

  expect(read.map(({ cells }) => cells)).toEqual([['id', 'a', 'b', 'c'], ...rows]);
  expect(read.map(({ row }) => row)).toEqual(read.map((_, index) => index + 1));
});
