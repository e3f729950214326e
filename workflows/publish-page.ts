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
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/** Publishes a page of a site at its time. Each step asks the database when that is, so a stale timer does no harm. */
export async function publishPage(input: RunInputs['publishPage']): Promise<{ outcome: string }> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, workspaceUuid, pageId } = input;
  const { publishDuePage } = proxyActivities<Pick<Activities, 'publishDuePage'>>({
    taskQueue: taskQueues.runs,
    startToCloseTimeout: '10s',
    // Nothing else publishes the page, however long the database is away.
    retry: { initialInterval: '500ms', maximumInterval: '1m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Publish the page, if it is due',
  });
  for (;;) {
    woken = false;
    const step = await publishDuePage({ workspaceId, pageId });
    let isLong = false;
    if (step.kind === 'wait') {
      setCurrentDetails(`Waits until ${new Date(step.until).toISOString()}.`);
      isLong = isLongForWaiting();
      if (!isLong)
        await condition(() => woken, delayUntil(step.until), { summary: 'Wait until the page is due' });
    } else if (!woken) {
      setCurrentDetails(`Ended: \`${step.outcome}\`.`);
      return { outcome: step.outcome };
    }
    if (isLong || workflowInfo().continueAsNewSuggested) await continueAsNew<typeof publishPage>(input);
  }
}
