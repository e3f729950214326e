import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type InWorkspace, taskQueues } from './contracts/runs.js';

/** Mails one admin, once, that an event rule was disabled or credits run out, unless it is out of date. */
export const sendRuleNotice = noticeRun('sendRuleNotice', 'Send the notice, unless it is out of date');

/** Tells one colleague, once, that chats wait for a person, unless none does any more. */
export const sendHandoffNotice = noticeRun(
  'sendHandoffNotice',
  'Send the notice, unless nothing waits any more',
);

function noticeRun(name: 'sendRuleNotice' | 'sendHandoffNotice', summary: string) {
  return async (input: InWorkspace & { noticeId: number }): Promise<{ outcome: string }> => {
    const { workspaceId, noticeId } = input;
    const send = activityOf(name, input, {
      taskQueue: taskQueues.deliveries,
      startToCloseTimeout: '45s',
      // Retries end when the notice is too old to be sent.
      retry: { initialInterval: '5s', maximumInterval: '15m' },
      summary,
    });
    const result = await send({ workspaceId, noticeId });
    setCurrentDetails(`Ended: \`${result.outcome}\`.`);
    return result;
  };
}
