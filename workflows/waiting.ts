import { patched, workflowInfo } from '@temporalio/workflow';

const longAfterEvents = 300;

/** A run continues as new before it waits: once the worker's cache has dropped it, a long history is replayed. */
export function isLongForWaiting(): boolean {
  return workflowInfo().historyLength > longAfterEvents && patched('continues-as-new-before-waiting');
}

/**
 * Milliseconds until a time of the database; at least a second, or a run would spin on a worker whose clock is ahead.
 */
export function delayUntil(epochMs: number): number {
  return Math.max(epochMs - Date.now(), 1_000);
}
