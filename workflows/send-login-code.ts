import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { priorities, type RunInputs, taskQueues } from './contracts/runs.js';

const { sendLoginCode: send } = proxyActivities<Pick<Activities, 'sendLoginCode'>>({
  taskQueue: taskQueues.urgent,
  startToCloseTimeout: '45s',
  // Retries end with the code's expiry.
  retry: { initialInterval: '1s', maximumInterval: '15s' },
  priority: { priorityKey: priorities.atOnce, fairnessKey: 'no-workspace' },
  summary: 'Send the code, if the address is known',
});

/** The address is looked up here, so that the time of the API's answer does not disclose which have an account. */
export async function sendLoginCode({
  loginCodeUuid,
}: RunInputs['sendLoginCode']): Promise<{ outcome: string }> {
  const result = await send({ loginCodeUuid });
  setCurrentDetails(`Ended: \`${result.outcome}\`.`);
  return result;
}
