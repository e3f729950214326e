import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { activityOf } from './activity-of.js';
import { type InWorkspace, taskQueues } from './contracts/runs.js';

/** The database step that cancels what a run is for. */
export function cancellationOf<Name extends keyof Activities>(
  name: Name,
  input: InWorkspace,
  summary: string,
) {
  return activityOf(name, input, {
    taskQueue: taskQueues.runs,
    startToCloseTimeout: '10s',
    retry: { initialInterval: '500ms', maximumInterval: '1m' },
    summary,
  });
}

/** Does the work of a run. If that is cancelled in Temporal, cancels what it is for, and ends as cancelled. */
export async function orCancel<Result>(
  work: () => Promise<Result>,
  cancel: () => Promise<unknown>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(cancel);
    throw error;
  }
}
