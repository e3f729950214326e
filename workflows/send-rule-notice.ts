import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';

/** Mails one admin, once, that an event rule was disabled or credits run out, unless it is out of date. */
export async function sendRuleNotice(input: RunInputs['sendRuleNotice']): Promise<{ outcome: string }> {
  const { workspaceId, workspaceUuid, noticeId } = input;
  const { sendRuleNotice: send } = proxyActivities<Pick<Activities, 'sendRuleNotice'>>({
    taskQueue: taskQueues.deliveries,
    startToCloseTimeout: '45s',
    // Retries end when the notice is too old to be sent.
    retry: { initialInterval: '5s', maximumInterval: '15m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Send the notice, unless it is out of date',
  });
  const result = await send({ workspaceId, noticeId });
  setCurrentDetails(`Ended: \`${result.outcome}\`.`);
  return result;
}
