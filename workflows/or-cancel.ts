import { CancellationScope, isCancellation } from '@temporalio/workflow';

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
