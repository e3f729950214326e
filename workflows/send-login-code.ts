import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { type LoginCodeRunInput, taskQueues } from './contracts/runs.js';

const { sendLoginCode: send } = proxyActivities<Pick<Activities, 'sendLoginCode'>>({
  taskQueue: taskQueues.codes,
  startToCloseTimeout: '45s',
  // It ends by itself: a code that has expired is not sent any more.
  retry: { initialInterval: '1s', maximumInterval: '15s' },
  priority: { fairnessKey: 'no-workspace' },
  summary: 'Send the code, if it is to be sent',
});

/**
 * Sends a login code, once, by mail or SMS. Whether anybody is to have it is found out here and not where it was asked
 * for, so that nobody can tell from the answer which addresses have an account.
 */
export async function sendLoginCode({ loginCodeUuid }: LoginCodeRunInput): Promise<{ outcome: string }> {
  const result = await send({ loginCodeUuid });
  setCurrentDetails(`Ended: \`${result.outcome}\`.`);
  return result;
}
