import { refusesRows } from '../../../db/refused-rows.js';
import { DomainError } from '../../lib/errors.js';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';
import {
  failedBy,
  type ImportProgress,
  type ImportResult,
  ImportTally,
  type RowOutcome,
} from './import-tally.js';
import type { CsvRow } from './parse-csv.js';

export interface ImportPlan {
  rows: AsyncIterable<CsvRow>;
  /** How many there are. */
  total: number;
  /** Rows that are written together, at most: what they hold the event loop for, and locks. */
  batchSize?: number;
  /**
   * Writes rows, in one transaction, and tells what became of each, in their order. What it throws undoes all of
   * them: they are then given to it once more, one at a time.
   */
  write(rows: readonly CsvRow[]): Promise<readonly RowOutcome[]>;
  /** Called between batches, each time that twice as many have been written. */
  onDoubled?(): Promise<void>;
  /** Ends the import after the rows being written. */
  signal: AbortSignal;
}

const firstDoubling = 4;
const defaultBatchSize = 100;
/** Long rows make a batch of fewer of them. */
const batchLength = 131_072;
/** A row that lost a race wins one of the next, unless it keeps losing. */
const triesOfARow = 3;

/**
 * Writes the rows of a file batch by batch, and tells after each how far it is. A row that cannot be written fails by
 * itself, the others land. Nothing is held between batches but counts and what went wrong.
 *
 * @returns what became of it all, for the last line: `{ ...(yield* runImport(plan)), … }`
 * @throws what is no row's fault, such as a database that is away; what was written before stays written. The
 *   signal's reason, when it aborts.
 */
export async function* runImport(plan: ImportPlan): AsyncGenerator<ImportProgress, ImportResult> {
  const tally = new ImportTally(plan.total);
  let written = 0;
  let nextDoubling = firstDoubling;
  for await (const batch of batches(plan.rows, plan.batchSize ?? defaultBatchSize)) {
    // Rows may have been read ahead: without this, batches would follow each other without a turn for others.
    await eventLoopTurn();
    plan.signal.throwIfAborted();
    const outcomes = await writeBatch(plan, batch);
    for (const [index, { row }] of batch.entries()) tally.add(row, outcomeAt(outcomes, index));
    yield tally.progress();
    written += 1;
    if (written === nextDoubling) {
      nextDoubling *= 2;
      await plan.onDoubled?.();
    }
  }
  return tally.result();
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
  if (failed instanceof DomainError) return failedBy(failed);
  // A database's message quotes values, and says nothing to who sent them.
  return { status: 'failed', errors: [{ message: 'The row cannot be written.' }] };
}

/** What a command refuses, or the database because of the rows. */
function isOfRows(error: unknown): boolean {
  return error instanceof DomainError ? error.status < 500 : refusesRows(error);
}

function outcomeAt(outcomes: readonly RowOutcome[], index: number): RowOutcome {
  const outcome = outcomes[index];
  if (outcome === undefined) throw new Error('a row of an import has no outcome');
  return outcome;
}
