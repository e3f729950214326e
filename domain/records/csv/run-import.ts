import type { Database } from '../../../db/database.js';
import { isDataError } from '../../../db/postgres-errors.js';
import type { CommandContext } from '../../kernel/context.js';
import { DomainError } from '../../lib/errors.js';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';
import {
  errorOfRow,
  failedBy,
  type ImportProgress,
  type ImportResult,
  ImportTally,
  type RowOutcome,
} from './import-tally.js';
import { errorColumn } from './open-csv.js';
import type { CsvRow } from './parse-csv.js';
import { writeCsv } from './write-csv.js';

export interface ImportPlan {
  rows: AsyncIterable<CsvRow>;
  /** Number of rows. */
  total: number;
  batchSize?: number;
  /** The columns of the rows, if the result is to have those that failed as a file. */
  fileOfFailed?: readonly string[] | undefined;
  /** Writes rows in one transaction, and returns their outcomes. If it throws, each row is passed again by itself. */
  write(rows: readonly CsvRow[]): Promise<readonly RowOutcome[]>;
  /** Called with a row that could not be written by itself either: no transaction holds its outcome. */
  onRefused?(row: CsvRow, outcome: RowOutcome): Promise<void>;
  /** Called between batches, each time the number of written batches has doubled. */
  onDoubled?(): Promise<void>;
  /** Ends the import after the current batch. */
  signal: AbortSignal;
}

/** What a caller asks of an import beside its rows. */
export interface ImportManner {
  /** Whether nothing is to be written. */
  dryRun?: boolean | undefined;
  /** Whether the result is to have the rows that failed as a file. */
  failedRowsFile?: boolean | undefined;
}

/**
 * How an import writes its batches. A dry run rolls each back by itself, so that it holds locks as shortly as the import: of rows
 * in different batches that contradict each other it does not know (docs/decisions/0289-records-on-a-screen.md).
 */
export function writingTo(
  { db, actor }: CommandContext,
  { dryRun = false }: ImportManner,
  write: (rows: readonly CsvRow[], within: Database) => Promise<readonly RowOutcome[]>,
): Pick<ImportPlan, 'write' | 'onDoubled'> {
  if (dryRun) {
    return { write: (rows) => db.rolledBack(actor.workspaceId, (within) => write(rows, within)) };
  }
  return { write: (rows) => write(rows, db), onDoubled: () => db.gatherStatistics() };
}

/** In characters, so that no import fills the memory with rows that failed. */
export const maxFileOfFailed = 524_288;

const firstDoubling = 4;
const defaultBatchSize = 100;
/** Characters after which a batch is full, so that long rows make smaller batches. */
const batchLength = 131_072;
/** How often a row is tried if it fails because of concurrent writes. */
const triesOfARow = 3;

/**
 * Writes the rows of a file in batches, yields the progress after each and returns the result. A row that cannot be
 * written fails by itself.
 * @throws errors that no row caused, such as a database outage, and the signal's reason; batches written before stay
 */
export async function* runImport(plan: ImportPlan): AsyncGenerator<ImportProgress, ImportResult> {
  const tally = new ImportTally(plan.total);
  const failed = new FailedRows(plan.fileOfFailed);
  let written = 0;
  let nextDoubling = firstDoubling;
  for await (const batch of batches(plan.rows, plan.batchSize ?? defaultBatchSize)) {
    // Rows may be buffered: without yielding, batches would run back to back and starve other requests.
    await eventLoopTurn();
    plan.signal.throwIfAborted();
    const outcomes = await writeBatch(plan, batch);
    for (const [index, { row, cells }] of batch.entries()) {
      const outcome = outcomeAt(outcomes, index);
      tally.add(row, outcome);
      if (outcome.status === 'failed') failed.add(cells, errorOfRow(row, outcome));
    }
    yield tally.progress();
    written += 1;
    if (written === nextDoubling) {
      nextDoubling *= 2;
      await plan.onDoubled?.();
    }
  }
  return { ...tally.result(), ...(await failed.file()) };
}

/** Gathers the rows that failed for a file, as long as there is room, where one is asked for. */
class FailedRows {
  readonly #columns: readonly string[] | undefined;
  readonly #rows: string[][] = [];
  #room = maxFileOfFailed;

  constructor(columns: readonly string[] | undefined) {
    this.#columns = columns;
  }

  add(cells: readonly string[], reason: string): void {
    if (this.#columns === undefined || this.#room < 0) return;
    const row = [...this.#columns.map((_, column) => cells[column] ?? ''), reason];
    this.#room -= row.reduce((sum, cell) => sum + cell.length + 1, 0);
    if (this.#room >= 0) this.#rows.push(row);
  }

  async file(): Promise<Pick<ImportResult, 'failedRowsFile' | 'failedRowsInFile'>> {
    if (this.#columns === undefined) return {};
    let file = '';
    for await (const piece of writeCsv([...this.#columns, errorColumn], each(this.#rows))) file += piece;
    return { failedRowsFile: file, failedRowsInFile: this.#rows.length };
  }
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function* batches(rows: AsyncIterable<CsvRow>, size: number): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = [];
  let length = 0;
  for await (const row of rows) {
    batch.push(row);
    length += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (batch.length < size && length < batchLength) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

async function writeBatch(plan: ImportPlan, batch: readonly CsvRow[]): Promise<readonly RowOutcome[]> {
  try {
    return await plan.write(batch);
  } catch (error) {
    if (!isOfRows(error)) throw error;
  }
  const outcomes: RowOutcome[] = [];
  for (const row of batch) {
    plan.signal.throwIfAborted();
    outcomes.push(await writeAlone(plan, row));
  }
  return outcomes;
}

async function writeAlone(plan: ImportPlan, row: CsvRow): Promise<RowOutcome> {
  let failed: unknown;
  for (let tries = 0; tries < triesOfARow; tries += 1) {
    try {
      return outcomeAt(await plan.write([row]), 0);
    } catch (error) {
      if (!isOfRows(error)) throw error;
      failed = error;
      if (error instanceof DomainError) break;
    }
  }
  const outcome = refusedBy(failed);
  await plan.onRefused?.(row, outcome);
  return outcome;
}

function refusedBy(error: unknown): RowOutcome {
  if (error instanceof DomainError) return failedBy(error);
  // A database's message may quote values, and means nothing to the client.
  return { status: 'failed', errors: [{ message: 'The row cannot be written.' }] };
}

/** Whether rows caused the error: a command refused them, or the database did. */
function isOfRows(error: unknown): boolean {
  return error instanceof DomainError ? error.kind !== 'unavailable' : isDataError(error);
}

function outcomeAt(outcomes: readonly RowOutcome[], index: number): RowOutcome {
  const outcome = outcomes[index];
  if (outcome === undefined) throw new Error('a row of an import has no outcome');
  return outcome;
}
