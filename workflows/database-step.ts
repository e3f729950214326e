import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';

const short = { startToCloseTimeout: '3s', retry: { maximumAttempts: 2, initialInterval: '100ms' } } as const;
const patient = {
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
} as const;

type StepName = keyof Activities;
type StepResult<Name extends StepName> = ReturnType<Activities[Name]>;

/**
 * A short, idempotent database step: a local activity, which costs no round trip through the server. While the
 * database is away it goes on as an ordinary activity with patient retries, so that nothing else of the run is
 * held up and an operator sees what it waits for.
 */
export async function databaseStep<Name extends StepName>(
  name: Name,
  input: Parameters<Activities[Name]>[0],
  summary: string,
): Promise<Awaited<StepResult<Name>>> {
  type Step = (input: Parameters<Activities[Name]>[0]) => StepResult<Name>;
  try {
    const local = proxyLocalActivities<Record<string, Step>>({ ...short, summary });
    return await (local[name] as Step)(input);
  } catch (error) {
    if (isCancellation(error) || !mayPass(error)) throw error;
    return await databaseCommand(name, input, summary);
  }
}

/**
 * A database step that an update asks for: an ordinary activity. Local ones would run beside those of the run
 * itself, and be resolved in another order when they are replayed
 * (https://github.com/temporalio/sdk-python/issues/1578); and a burst of updates that comes while one runs gets lost.
 */
export async function databaseCommand<Name extends StepName>(
  name: Name,
  input: Parameters<Activities[Name]>[0],
  summary: string,
): Promise<Awaited<StepResult<Name>>> {
  type Step = (input: Parameters<Activities[Name]>[0]) => StepResult<Name>;
  const remote = proxyActivities<Record<string, Step>>({ ...patient, summary });
  return await (remote[name] as Step)(input);
}

function mayPass(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return !(cause instanceof ApplicationFailure && cause.nonRetryable);
}
