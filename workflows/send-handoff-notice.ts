import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';

/** Tells one colleague, once, that chats wait for a person, unless none does any more. */
export async function sendHandoffNotice(input: RunInputs['sendHandoffNotice']): Promise<{ outcome: string }> {
  const { workspaceId, workspaceUuid, noticeId } = input;
  const { sendHandoffNotice: send } = proxyActivities<Pick<Activities, 'sendHandoffNotice'>>({
    taskQueue: taskQueues.deliveries,
    startToCloseTimeout: '45s',
    // Retries end when the notice is too old to be sent.
    retry: { initialInterval: '5s', maximumInterval: '15m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Send the notice, unless nothing waits any more',
  });
  const result = await send({ workspaceId, noticeId });
  setCurrentDetails(`Ended: \`${result.outcome}\`.`);
  return result;
}
