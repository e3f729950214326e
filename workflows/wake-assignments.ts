import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { untilDone } from './until-done.js';

/**
 * Wakes the assignments that have met the hold of a workflow definition, by and by, after it was resumed; or all that rests in
 * a workspace, whose hold may have a time to end.
 */
export async function wakeAssignments(input: RunInputs['wakeAssignments']): Promise<void> {
  const { workspaceId, definitionId } = input;
  const wake = activityOf('wakeAssignments', input, {
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '1m',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    summary: 'Poke the runs that have met the hold',
  });
  let total = 0;
  await untilDone(input, async ({ isPoked }) => {
    setCurrentDetails(`Wakes runs: ${total} so far.`);
    const { woken, finished, until } = await wake({ workspaceId, definitionId });
    total += woken;
    if (!finished) return { kind: 'again' };
    if (until === undefined) return { kind: 'idle', result: undefined };
    if (isPoked()) return { kind: 'again' };
    setCurrentDetails(`The workspace is held until ${new Date(until).toISOString()}.`);
    return { kind: 'wait', until, summary: 'Wait for the end of the hold' };
  });
  setCurrentDetails(`Has woken ${total} runs.`);
}
