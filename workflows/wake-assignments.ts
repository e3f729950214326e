import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { pokeSignal } from './contracts/messages.js';
import { taskQueues, type RunInputs } from './contracts/runs.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/**
 * Wakes the assignments that have met the hold of a workflow definition, by and by, after it was resumed; or all that rests in
 * a workspace, whose hold may have a time to end.
 */
export async function wakeAssignments(input: RunInputs['wakeAssignments']): Promise<void> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, workspaceUuid, definitionId } = input;
  const { wakeAssignments: wake } = proxyActivities<Pick<Activities, 'wakeAssignments'>>({
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '1m',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Poke the runs that have met the hold',
  });
  let total = 0;
  while (woken) {
    woken = false;
    setCurrentDetails(`Wakes runs: ${total} so far.`);
    const step = await wake({ workspaceId, definitionId });
    total += step.woken;
    if (!step.finished) woken = true;
    else if (step.until !== undefined && !woken) {
      if (isLongForWaiting()) await continueAsNew<typeof wakeAssignments>(input);
      setCurrentDetails(`The workspace is held until ${new Date(step.until).toISOString()}.`);
      await condition(() => woken, delayUntil(step.until), { summary: 'Wait for the end of the hold' });
      woken = true;
    }
    if (woken && workflowInfo().continueAsNewSuggested) await continueAsNew<typeof wakeAssignments>(input);
  }
  setCurrentDetails(`Has woken ${total} runs.`);
}
