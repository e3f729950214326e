import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';

/**
 * Visits all that have a label which was deleted, or has another slug, by and by. The database has how far it is.
 */
export async function applyLabelChange(input: RunInputs['applyLabelChange']): Promise<{ visited: number; woken: number }> {
  let changed = true;
  setHandler(pokeSignal, () => {
    changed = true;
  });
  const { workspaceId, workspaceUuid, kind, labelId } = input;
  const { applyLabelChange: apply } = proxyActivities<Pick<Activities, 'applyLabelChange'>>({
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '1m',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    priority: { fairnessKey: workspaceUuid },
    summary: `Visit the next ${kind}s with the label`,
  });
  const total = { visited: 0, woken: 0 };
  const told = () => `${total.visited} ${kind}s visited, ${total.woken} assignments woken`;
  while (changed) {
    changed = false;
    setCurrentDetails(`Applies the change: ${told()} so far.`);
    const step = await apply({ workspaceId, kind, labelId });
    total.visited += step.visited;
    total.woken += step.woken;
    if (!step.finished) changed = true;
    if (changed && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof applyLabelChange>(input);
    }
  }
  setCurrentDetails(`The change is applied: ${told()}.`);
  return total;
}
