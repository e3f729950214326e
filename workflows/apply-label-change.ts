import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { untilDone } from './until-done.js';

/**
 * Visits all that have a label which was deleted, or has another slug, by and by. The database has how far it is.
 */
export async function applyLabelChange(
  input: RunInputs['applyLabelChange'],
): Promise<{ visited: number; woken: number }> {
  const { workspaceId, kind, labelId } = input;
  const apply = activityOf('applyLabelChange', input, {
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '1m',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    summary: `Visit the next ${kind}s with the label`,
  });
  const total = { visited: 0, woken: 0 };
  const told = () => `${total.visited} ${kind}s visited, ${total.woken} assignments woken`;
  await untilDone(input, async () => {
    setCurrentDetails(`Applies the change: ${told()} so far.`);
    const step = await apply({ workspaceId, kind, labelId });
    total.visited += step.visited;
    total.woken += step.woken;
    return step.finished ? { kind: 'idle', result: undefined } : { kind: 'again' };
  });
  setCurrentDetails(`The change is applied: ${told()}.`);
  return total;
}
