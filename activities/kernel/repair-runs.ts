import type { Mended, RowOfRun, RowsOfRun, RunGone } from '../../domain/kernel/reconcile-rows.js';
import { workflowIdOf } from '../../workflows/contracts/runs.js';
import { atOnce } from './at-once.js';
import type { ActivityDependencies } from './dependencies.js';
import { paced } from './paced.js';
import type { SettledRows } from './reconciled.js';
import type { WalkedList } from './walk.js';

export type RepairContext = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'runs'>;

export interface Found {
  /** Rows whose run was looked up. */
  checked: number;
  restarted: number;
  concluded: number;
  /** Rows that could not be looked up or repaired this time; the log says why. */
  failed: number;
}

/** A row that should have a run. */
export interface Candidate {
  row: RowOfRun;
  workflowId: string;
  repair(run: RunGone): Promise<Mended>;
}

/** Looks up the runs of candidates, mends the rows of those that are gone, and counts what it has found. */
export type RepairRuns = (candidates: readonly Candidate[], found: Found) => Promise<void>;

const lookUpsAtOnce = 24;
/** The requests of workers for tasks have less priority at Temporal than look-ups, which could crowd them out. */
const lookUpsPerSecond = 100;

export function runRepair({ runs, logger }: RepairContext): RepairRuns {
  const pace = paced(lookUpsPerSecond);
  return (candidates, found) =>
    atOnce(lookUpsAtOnce, candidates, async ({ row, workflowId, repair }) => {
      found.checked += 1;
      try {
        await pace();
        const status = await runs.statusOf(workflowId);
        const repaired = status === 'running' ? undefined : await repair(status);
        if (repaired !== undefined) {
          found[repaired] += 1;
          logger.warn({ ...row, workflowId }, `a run has ended before its work: ${repaired}`);
        }
      } catch (error) {
        // It must not stop the rest.
        recordFailure(logger, found, row, error);
      }
    });
}

export function recordFailure(
  logger: RepairContext['logger'],
  found: { failed: number },
  what: object,
  error: unknown,
): void {
  found.failed += 1;
  logger.warn({ ...what, code: error instanceof Error ? error.name : 'unknown' }, 'not reconciled');
}

export function candidateOf<Row extends RowOfRun>(
  context: RepairContext,
  rows: RowsOfRun<Row, unknown>,
  row: Row,
): Candidate {
  const workflowId = workflowIdOf(rows.runType, row.uuid);
  return { row, workflowId, repair: (run) => rows.repair(context, row, run) };
}

/** The list of rows, as a walk reads it. */
export function walkedRows(
  context: RepairContext,
  rows: RowsOfRun<RowOfRun, unknown>,
  pageSize?: number,
): WalkedList<Candidate> {
  return {
    name: rows.name,
    async page(workspaceId, after) {
      const { items, next } = await rows.page(context, workspaceId, after, pageSize);
      return { items: items.map((row) => candidateOf(context, rows, row)), next };
    },
  };
}

/** A list without runs, as a walk reads it: reading a page settles its rows. */
export function walkedSettling(context: RepairContext, rows: SettledRows): WalkedList<Candidate> {
  const { name } = rows;
  return {
    name,
    async page(workspaceId) {
      return { items: [], next: (await rows.settle(context, workspaceId)) ? name : undefined };
    },
  };
}
