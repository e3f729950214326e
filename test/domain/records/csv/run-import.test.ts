import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Forbidden, InvalidInput } from '../../../../domain/lib/errors.js';
import type { ImportProgress, RowOutcome } from '../../../../domain/records/csv/import-tally.js';
import type { CsvRow } from '../../../../domain/records/csv/parse-csv.js';
import { type ImportPlan, runImport } from '../../../../domain/records/csv/run-import.js';

const rowsUpTo = (count: number, cell = ''): CsvRow[] =>
  Array.from({ length: count }, (_, index) => ({ row: index + 2, cells: [cell] }));

async function* each<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things;
}

const allCreated = async (rows: readonly CsvRow[]): Promise<RowOutcome[]> =>
  rows.map(() => ({ status: 'created' }));

const start = (rows: readonly CsvRow[], plan: Partial<ImportPlan>) =>
  runImport({
    rows: each(rows),
    total: rows.length,
    write: allCreated,
    signal: new AbortController().signal,
    ...plan,
  });

/** Runs an import to its end, and returns its progress and its result. */
async function run(rows: readonly CsvRow[], plan: Partial<ImportPlan>) {
  const steps = start(rows, plan);
  const progress: ImportProgress[] = [];
  for (;;) {
    const step = await steps.next();
    if (step.done) return { progress, result: step.value };
    progress.push(step.value);
  }
}

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('what people wrote', 0, 'error'), { code });
}

describe('runImport', () => {
  it('reports the progress after each batch, and the outcome of the rows at the end', async () => {
    const outcomes: RowOutcome[] = [
      { status: 'created' },
      { status: 'failed', errors: [{ message: 'Name is required' }, { message: 'Age must be a number' }] },
      { status: 'unchanged' },
      { status: 'updated' },
      { status: 'created' },
    ];

    const { progress, result } = await run(rowsUpTo(5), {
      batchSize: 2,
      write: async (rows) => rows.map(({ row }) => outcomes[row - 2] ?? { status: 'created' }),
    });

    expect(progress).toEqual([
      { type: 'progress', current: 2, total: 5, success: 1, failed: 1, created: 1, updated: 0, unchanged: 0 },
      { type: 'progress', current: 4, total: 5, success: 3, failed: 1, created: 1, updated: 1, unchanged: 1 },
      { type: 'progress', current: 5, total: 5, success: 4, failed: 1, created: 2, updated: 1, unchanged: 1 },
    ]);
    expect(result).toEqual({
      type: 'complete',
      total: 5,
      success: 4,
      failed: 1,
      created: 2,
      updated: 1,
      unchanged: 1,
      errors: ['Row 3: Name is required; Age must be a number'],
      failedRows: [3],
    });
  });

  it('completes at once when there are no rows', async () => {
    const { progress, result } = await run([], {});
    expect(progress).toEqual([]);
    expect(result).toMatchObject({ type: 'complete', total: 0, success: 0, errors: [] });
  });

  it('lists the shortened errors of a thousand rows, and the numbers of all failed rows', async () => {
    const { result } = await run(rowsUpTo(1_500), {
      write: async (rows) => rows.map(() => ({ status: 'failed', errors: [{ message: 'x'.repeat(9_000) }] })),
    });
    expect(result.failedRows).toHaveLength(1_500);
    expect(result.errors).toHaveLength(1_000);
    expect(Math.max(...result.errors.map((error) => error.length))).toBe(500);
  });

  it('writes fewer rows per batch when the rows are long', async () => {
    const sizes: number[] = [];

    await run(rowsUpTo(8, 'x'.repeat(50_000)), {
      write: (rows) => {
        sizes.push(rows.length);
        return allCreated(rows);
      },
    });

    expect(sizes).toEqual([3, 3, 2]);
  });

  it('yields to the event loop between batches', async () => {
    let turns = 0;
    let going = true;
    const takeTurn = () => {
      turns += 1;
      if (going) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);

    await run(rowsUpTo(50), { batchSize: 1 });
    going = false;

    expect(turns).toBeGreaterThanOrEqual(50);
  });
});

describe('a batch that fails as a whole', () => {
  /** A writer that rejects every batch with the row `poison`. */
  function writer(poison: number, error: unknown) {
    const landed: number[] = [];
    const write = async (rows: readonly CsvRow[]) => {
      if (rows.some(({ row }) => row === poison)) throw error;
      landed.push(...rows.map(({ row }) => row));
      return allCreated(rows);
    };
    return { landed, write };
  }

  it.each([
    ['a value that the database refuses', databaseError('22P05'), 'The row cannot be written.'],
    ['a constraint', databaseError('23514'), 'The row cannot be written.'],
    ['a refusal', InvalidInput.field('/x', 'Has to be another'), 'Has to be another'],
    ['a lack of permission', new Forbidden('records:write'), 'This needs records:write.'],
  ])(
    'is written row by row after %s of one row, so that the rest is stored',
    async (_title, error, message) => {
      const { landed, write } = writer(4, error);

      const { result } = await run(rowsUpTo(10), { batchSize: 5, write });

      expect(landed).toEqual([2, 3, 5, 6, 7, 8, 9, 10, 11]);
      expect(result).toMatchObject({ success: 9, failed: 1, failedRows: [4], errors: [`Row 4: ${message}`] });
    },
  );

  it('is written row by row after a deadlock, and a row that deadlocks again is retried', async () => {
    let deadlocks = 2;
    const { result } = await run(rowsUpTo(3), {
      write: async (rows) => {
        if (deadlocks > 0) {
          deadlocks -= 1;
          throw databaseError('40P01');
        }
        return allCreated(rows);
      },
    });

    expect(result).toMatchObject({ success: 3, failed: 0 });
  });

  it.each([
    ['a database that is away', databaseError('57P01')],
    ['a connection that is lost', Object.assign(new Error('lost'), { code: 'ECONNRESET' })],
    ['a mistake of ours', new TypeError('not a function')],
  ])('ends the import for %s', async (_title, error) => {
    const { landed, write } = writer(8, error);
    const steps = start(rowsUpTo(10), { batchSize: 5, write });

    await steps.next();
    await expect(steps.next()).rejects.toBe(error);
    expect(landed).toEqual([2, 3, 4, 5, 6]);
  });
});

describe('an aborted import', () => {
  it('ends after the batch that is being written', async () => {
    const controller = new AbortController();
    const landed: number[] = [];
    const running = run(rowsUpTo(10), {
      batchSize: 4,
      signal: controller.signal,
      write: async (rows) => {
        landed.push(...rows.map(({ row }) => row));
        if (landed.length === 8) controller.abort(new Error('gone'));
        return allCreated(rows);
      },
    });

    await expect(running).rejects.toThrow('gone');
    expect(landed).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('closes the source of its rows', async () => {
    let isOver = false;
    async function* rows(): AsyncGenerator<CsvRow> {
      try {
        yield* rowsUpTo(10);
      } finally {
        isOver = true;
      }
    }
    const steps = start([], { rows: rows(), total: 10, batchSize: 2 });

    for await (const _progress of steps) break;

    expect(isOver).toBe(true);
  });
});
