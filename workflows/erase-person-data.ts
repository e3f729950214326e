import { condition, setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { untilDone } from './until-done.js';
import { delayUntil } from './waiting.js';

/** Erases what is stored about a member, step by step, and looks once more a day later. */
export async function erasePersonData(input: RunInputs['erasePersonData']): Promise<{ erased: number }> {
  const { workspaceId, erasureId } = input;
  const erase = activityOf('erasePersonData', input, {
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '6m',
    heartbeatTimeout: '1m',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary: 'Erase the next rows',
  });
  let erased = 0;
  await untilDone(input, async ({ isPoked }) => {
    setCurrentDetails(`Erases: ${erased} rows so far.`);
    const step = await erase({ workspaceId, erasureId });
    if (step.kind === 'finished') return { kind: 'ended', result: undefined };
    if (step.kind === 'again') {
      erased += step.erased;
      return { kind: 'again' };
    }
    const [why, summary] = reasons[step.for];
    setCurrentDetails(
      `${why}, at the latest until ${new Date(step.until).toISOString()}: ${erased} rows erased so far.`,
    );
    // However long the history is: another run would begin with a step that is not due.
    await condition(isPoked, delayUntil(step.until), { summary });
    return { kind: 'again' };
  });
  setCurrentDetails(`Nothing is left: ${erased} rows erased.`);
  return { erased };
}

const reasons = {
  older: ['Waits for transactions that are older than the erasure', 'Wait for older transactions'],
  look: ['Nothing is left. Waits to look for late writes', 'Wait to look for late writes'],
} as const;
