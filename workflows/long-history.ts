import { patched, workflowInfo } from '@temporalio/workflow';

const longAfterEvents = 300;

/**
 * Whether a run that is about to wait should continue as new first. A run keeps nothing that matters, and one that waits
 * is replayed from its beginning when it has left the worker's memory.
 */
export function isLongForWaiting(): boolean {
  return workflowInfo().historyLength > longAfterEvents && patched('continues-as-new-before-waiting');
}
