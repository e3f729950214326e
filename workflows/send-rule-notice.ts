import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { type RuleNoticeRunInput, taskQueues } from './contracts/runs.js';

/** Tells one admin, by mail and once, that an event rule was disabled, unless that is no news any more. */
export async function sendRuleNotice(input: RuleNoticeRunInput): Promise<{ outcome: string }> {
  const { workspaceId, workspaceUuid, noticeId } = input;
  const { sendRuleNotice: send } = proxyActivities<Pick<Activities, 'sendRuleNotice'>>({
    taskQueue: taskQueues.deliveries,
    startToCloseTimeout: '45s',
    // It ends by itself: a notice of days ago is not sent any more.
    retry: { initialInterval: '5s', maximumInterval: '15m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Send the notice, if it is still to be sent',
  });
  const result = await send({ workspaceId, noticeId });
  setCurrentDetails(`Ended: \`${result.outcome}\`.`);
  return result;
}
