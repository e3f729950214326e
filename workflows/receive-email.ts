import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';

/** Receives one mail that was handed in to an inbox. */
export async function receiveEmail(
  input: RunInputs['receiveEmail'],
): Promise<{ state: string; reason: string | null }> {
  const { workspaceId, workspaceUuid, inboundEmailId } = input;
  const receive = activityOf('receiveEmail', input, {
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '1m',
    // Crashes of the reader are counted in the database, and end by themselves; a storage that is away may stay so for a day.
    retry: { initialInterval: '2s', maximumInterval: '5m' },
    summary: 'Read the mail, and take it where it belongs',
  });
  setCurrentDetails('Reads the mail.');
  const { state, reason } = await receive({ workspaceId, workspaceUuid, inboundEmailId });
  setCurrentDetails(`Ended: \`${state}\`${reason === null ? '' : ` (${reason})`}.`);
  return { state, reason };
}
