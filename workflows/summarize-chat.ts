import { ActivityFailure, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import type { SummaryOutcome } from './contracts/commands.js';
import { type SummaryRunInput, taskQueues } from './contracts/runs.js';

/** Summarizes a chat for a caller who waits for it. */
export async function summarizeChat(input: SummaryRunInput): Promise<{ outcome: SummaryOutcome }> {
  const { workspaceId, chatId, requestUuid, updateLabels } = input;
  const summarize = activityOf('summarizeChat', input, {
    taskQueue: taskQueues.turns,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '25s',
    scheduleToCloseTimeout: '5m',
    // A run that is cancelled ends when it is known whether the summary was stored.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: { initialInterval: '1s', maximumInterval: '15s', maximumAttempts: 4 },
    summary: updateLabels ? 'Ask the model for a summary and labels' : 'Ask the model for a summary',
  });
  setCurrentDetails('The model reads the chat.');
  const outcome = await summarize({ workspaceId, chatId, requestUuid, updateLabels }).then(
    (result) => result.outcome,
    (error): SummaryOutcome => {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      return 'failed';
    },
  );
  setCurrentDetails(`Ended: \`${outcome}\`.`);
  return { outcome };
}
