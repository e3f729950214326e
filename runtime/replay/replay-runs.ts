import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { HistoryAndWorkflowId } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { withinDeadline } from '../temporal/connect.js';
import type { OpenRun } from './sample-open-runs.js';

const historyWithinMs = 30_000;
/** https://grpc.io/docs/guides/status-codes/ */
const notFound = 5;

/** The outcome for one run. It is a code, because the SDK's messages quote histories. */
export type ReplayOutcome =
  | 'replayed'
  /** The code's commands differ from the history. */
  | 'nondeterministic'
  /** The code fails, or has no such run type. */
  | 'failed'
  /** No worker has picked it up yet, so there is nothing to replay. */
  | 'not_begun'
  /** Its history was deleted after it was listed. */
  | 'gone';

export interface ReplayedRun extends OpenRun {
  outcome: ReplayOutcome;
}

/** Replays runs against a bundle of workflows, one at a time, so that only one history is in memory. */
export async function* replayRuns(
  client: Client,
  runs: readonly OpenRun[],
  codePath: string,
): AsyncIterable<ReplayedRun> {
  const skipped: ReplayedRun[] = [];
  let current: OpenRun | undefined;
  async function* histories(): AsyncIterable<HistoryAndWorkflowId> {
    for (const run of runs) {
      const history = await fetchHistory(client, run);
      if (history === undefined) skipped.push({ ...run, outcome: 'gone' });
      else if (!hasBegun(history)) skipped.push({ ...run, outcome: 'not_begun' });
      else {
        current = run;
        yield { workflowId: run.workflowId, history };
      }
    }
  }
  // The replayer requests the next history only after the previous result was consumed.
  for await (const { error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, histories())) {
    if (current !== undefined) yield { ...current, outcome: outcomeOf(error) };
    yield* skipped.splice(0);
  }
  yield* skipped;
}

function outcomeOf(error: Error | undefined): ReplayOutcome {
  if (error === undefined) return 'replayed';
  return error instanceof DeterminismViolationError ? 'nondeterministic' : 'failed';
}

function hasBegun({ events }: History): boolean {
  return events?.some((event) => event.workflowTaskCompletedEventAttributes != null) ?? false;
}

async function fetchHistory(client: Client, { workflowId, runId }: OpenRun): Promise<History | undefined> {
  try {
    return await withinDeadline(client, Date.now() + historyWithinMs, () =>
      client.workflow.getHandle(workflowId, runId).fetchHistory(),
    );
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === notFound) return undefined;
    throw error;
  }
}
