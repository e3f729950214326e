import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { untilDone } from './until-done.js';

/** Publishes a page of a site at its time. Each step asks the database when that is, so a stale timer does no harm. */
export async function publishPage(input: RunInputs['publishPage']): Promise<{ outcome: string }> {
  const { workspaceId, pageId } = input;
  const publishDuePage = activityOf('publishDuePage', input, {
    taskQueue: taskQueues.runs,
    startToCloseTimeout: '10s',
    // Nothing else publishes the page, however long the database is away.
    retry: { initialInterval: '500ms', maximumInterval: '1m' },
    summary: 'Publish the page, if it is due',
  });
  const result = await untilDone(input, async () => {
    const step = await publishDuePage({ workspaceId, pageId });
    if (step.kind === 'ended') return { kind: 'idle', result: { outcome: step.outcome } };
    setCurrentDetails(`Waits until ${new Date(step.until).toISOString()}.`);
    return { kind: 'wait', until: step.until, summary: 'Wait until the page is due' };
  });
  setCurrentDetails(`Ended: \`${result.outcome}\`.`);
  return result;
}
