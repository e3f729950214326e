import type { WorkflowHandle } from '@temporalio/client';

/** `temporal.api.enums.v1.EventType`: with what a history ends while its run waits, or once it has ended. */
const lastOfResting = new Set([
  2, // WORKFLOW_EXECUTION_COMPLETED
  7, // WORKFLOW_TASK_COMPLETED
  17, // TIMER_STARTED
  25, // MARKER_RECORDED, of a local activity
  40, // UPSERT_WORKFLOW_SEARCH_ATTRIBUTES, of a version marker
]);

/** Whether nothing happens in a run before a timer fires or something comes from outside. */
export async function atRest(run: WorkflowHandle): Promise<boolean> {
  const last = (await run.fetchHistory()).events?.at(-1);
  return last?.eventType !== null && last?.eventType !== undefined && lastOfResting.has(last.eventType);
}
