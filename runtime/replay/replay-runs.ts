import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { HistoryAndWorkflowId } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { runTypes } from '../../workflows/contracts/runs.js';
import { withinDeadline } from '../temporal/connect.js';

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

/** Replays runs against a bundle of workflows, one at a time, so that only one history is in memory. */
export async function* replayRuns(
  client: Client,
  runs: readonly OpenRun[],
  codePath: string,
): AsyncIterable<OpenRun & { outcome: ReplayOutcome }> {
  const skipped: (OpenRun & { outcome: ReplayOutcome })[] = [];
  let current: OpenRun | undefined;
  async function* histories(): AsyncIterable<HistoryAndWorkflowId> {
    for (const run of runs) {
      const history = await fetchHistory(client, run);
      if (history === undefined) skipped.push({ ...run, outcome: 'gone' });
      else if (!hasStarted(history)) skipped.push({ ...run, outcome: 'not_begun' });
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

function hasStarted({ events }: History): boolean {
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

export interface OpenRun {
  workflowType: string;
  workflowId: string;
  runId: string;
}

const listWithinMs = 10_000;
/**
 * Boundaries between the age groups of a sample: an hour, a day, a week, a month. Lists begin with the youngest run.
 */
const ageHours = [1, 24, 7 * 24, 30 * 24];

/**
 * Lists at most `perType` open runs of each type, in equal parts by age, so that the sample includes runs that earlier
 * releases began. Types that this build does not have share one sample.
 */
export async function sampleOpenRuns(client: Client, perType: number, now = new Date()): Promise<OpenRun[]> {
  const types = [
    ...runTypes.map((type) => `WorkflowType = '${type}'`),
    `WorkflowType NOT IN (${runTypes.map((type) => `'${type}'`).join(', ')})`,
  ];
  const ages = partsByAge(now);
  const perPart = Math.ceil(perType / ages.length);
  const sample: OpenRun[] = [];
  for (const type of types) {
    const ofType: OpenRun[] = [];
    for (const age of ages) {
      const most = Math.min(perPart, perType - ofType.length);
      ofType.push(...(await listSome(client, `ExecutionStatus = 'Running' AND ${type} AND ${age}`, most)));
    }
    sample.push(...ofType);
  }
  return sample;
}

/** Returns conditions of which each run meets exactly one, the oldest first. */
function partsByAge(now: Date): string[] {
  const bounds = ageHours
    .map((hours) => `'${new Date(now.getTime() - hours * 3_600_000).toISOString()}'`)
    .reverse();
  return [
    `StartTime < ${bounds[0]}`,
    ...bounds.slice(1).map((bound, index) => `StartTime >= ${bounds[index]} AND StartTime < ${bound}`),
    `StartTime >= ${bounds.at(-1)}`,
  ];
}

async function listSome(client: Client, query: string, most: number): Promise<OpenRun[]> {
  if (most === 0) return [];
  return withinDeadline(client, Date.now() + listWithinMs, async () => {
    const runs: OpenRun[] = [];
    for await (const { type, workflowId, runId } of client.workflow.list({ query, pageSize: most })) {
      runs.push({ workflowType: type, workflowId, runId });
      if (runs.length === most) break;
    }
    return runs;
  });
}
