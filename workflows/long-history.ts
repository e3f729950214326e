import { patched, workflowInfo } from '@temporalio/workflow';

const longAfterEvents = 300;

/**
 * Whether a run that is about to wait should continue as new first. A run holds no state of its own, and a long history
 * is replayed from its beginning once the worker's cache has dropped the run.
 */
export function isLongForWaiting(): boolean {
  return workflowInfo().historyLength > longAfterEvents && patched('continues-as-new-before-waiting');
}
