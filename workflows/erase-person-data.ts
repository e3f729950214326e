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
import { delayUntil } from './waiting.js';

/** Erases what is stored about a member, step by step, and looks once more a day later. */
export async function erasePersonData(input: RunInputs['erasePersonData']): Promise<{ erased: number }> {
  let woken = false;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, workspaceUuid, erasureId } = input;
  const { erasePersonData: erase } = proxyActivities<Pick<Activities, 'erasePersonData'>>({
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '6m',
    heartbeatTimeout: '1m',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Erase the next rows',
  });
  let erased = 0;
  for (;;) {
    woken = false;
    setCurrentDetails(`Erases: ${erased} rows so far.`);
    const step = await erase({ workspaceId, erasureId });
    if (step.kind === 'finished') break;
    if (step.kind === 'again') {
      erased += step.erased;
    } else {
      const [why, summary] = reasons[step.for];
      setCurrentDetails(
        `${why}, at the latest until ${new Date(step.until).toISOString()}: ${erased} rows erased so far.`,
      );
      await condition(() => woken, delayUntil(step.until), { summary });
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof erasePersonData>(input);
  }
  setCurrentDetails(`Nothing is left: ${erased} rows erased.`);
  return { erased };
}

const reasons = {
  older: ['Waits for transactions that are older than the erasure', 'Wait for older transactions'],
  look: ['Nothing is left. Waits to look for late writes', 'Wait to look for late writes'],
} as const;
