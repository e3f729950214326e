import { waitingChats } from '../../domain/conversations/chats/repair-chats.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import { rowsThatWait, rowsToSettle } from './reconciled.js';
import { repairClosedRuns } from './repair-closed-runs.js';
import {
  type Candidate,
  type Found,
  type RepairContext,
  type RepairRuns,
  recordFailure,
  runRepair,
  walkedRows,
  walkedSettling,
} from './repair-runs.js';
import { beginSlice, sliceMs } from './slice.js';
import { wakeLeftRuns } from './wake-left-runs.js';
import { type WalkedList, walk } from './walk.js';
import { walkAssignments } from './walk-assignments.js';

/** What a slice of the walk found; `walked`: the rows that wait were looked at, active assignments are left. */
export interface Reconciliation extends Found, Sliced<{ walked: boolean }> {
  /** Open runs of assignments that had ended, which were poked. */
  woken: number;
  /** Whether the walk was completed; otherwise the next one continues from its position. */
  finished: boolean;
}

export interface ReceiptsAskedFor extends Pick<Reconciliation, 'checked' | 'failed' | 'finished'>, Sliced {
  /** Chats whose run was poked to ask the carrier for a late receipt. */
  woken: number;
}

/** Of a slice, what is spent on the open runs of assignments that have ended. */
const leftRunsPart = 1 / 4;

export function reconcilerActivities(context: RepairContext, options: { sliceMs?: number } = {}) {
  const { clock, logger } = context;
  const { walks } = context.db.identity;
  const repair = runRepair(context);
  const waiting = [
    ...rowsThatWait.map((rows) => walkedRows(context, rows)),
    ...rowsToSettle.map((rows) => walkedSettling(context, rows)),
  ];
  const receipts = [walkedRows(context, waitingChats.receipts)];

  return {
    /**
     * Checks the runs that closed abnormally since the last look, wakes open ones whose assignments have ended, then continues
     * the walks: through the rows that wait for a run, and through the active assignments.
     */
    async reconcileRuns(from?: { walked: boolean }): Promise<Reconciliation> {
      const found = { checked: 0, restarted: 0, concluded: 0, woken: 0, failed: 0 };
      const isTimeUp = beginSlice(options.sliceMs);
      const seen = await repairClosedRuns(context, found, { repair, isTimeUp });
      await wakeLeftRuns(context, found, {
        now: clock.now(),
        isTimeUp: beginSlice((options.sliceMs ?? sliceMs) * leftRunsPart),
        onFailure: (what, error) => recordFailure(logger, found, what, error),
      });
      const isNew = ({ workflowId }: Candidate) => !seen.has(workflowId);
      const repairNew: RepairRuns = (candidates, into) => repair(candidates.filter(isNew), into);
      const rest = { repair: repairNew, isTimeUp };
      const walked = from?.walked === true || (await walkRows('reconcile_runs', waiting, found, rest));
      const finished = walked && (await walkAssignments(context, found, rest));
      return { ...found, finished, ...(finished ? {} : { next: { walked } }) };
    },

    /** Pokes the deliveries of chats that have a late receipt and no open run. */
    async askForReceipts(): Promise<ReceiptsAskedFor> {
      const found = { checked: 0, restarted: 0, concluded: 0, failed: 0 };
      const isTimeUp = beginSlice(options.sliceMs);
      const finished = await walkRows('ask_for_receipts', receipts, found, { repair, isTimeUp });
      const { checked, restarted: woken, failed } = found;
      return { checked, woken, failed, finished, ...(finished ? {} : { next: true }) };
    },
  };

  /** Looks at the rows that wait for a run. @returns whether it was in time */
  async function walkRows(
    name: string,
    lists: readonly WalkedList<Candidate>[],
    found: Found,
    by: { repair: RepairRuns; isTimeUp(): boolean },
  ): Promise<boolean> {
    return walk({
      name,
      walks,
      places: await walks.workspacesWith(lists.map((list) => list.name)),
      lists,
      seeTo: (candidates) => by.repair(candidates, found),
      onFailure: (where, error) => recordFailure(logger, found, where, error),
      isTimeUp: by.isTimeUp,
    });
  }
}
