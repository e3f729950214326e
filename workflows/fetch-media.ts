import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';

/** Fetches the media of one message from the carrier. */
export async function fetchMedia(
  input: RunInputs['fetchMedia'],
): Promise<{ stored: number; failed: number }> {
  const { workspaceId, workspaceUuid, messageId } = input;
  const fetchAwaited = activityOf('fetchMedia', input, {
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '15m',
    heartbeatTimeout: '1m',
    // Retries end when the media are given up, which the message then says.
    retry: { initialInterval: '2s', maximumInterval: '15m' },
    summary: 'Fetch the media that are not there yet',
  });
  setCurrentDetails('Waits for the media to be fetched.');
  const result = await fetchAwaited({ workspaceId, workspaceUuid, messageId });
  setCurrentDetails(`Ended: ${result.stored} stored, ${result.failed} given up.`);
  return result;
}
