import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { untilDone } from './until-done.js';

/** Indexes the text of one version of a file, and again when it is poked meanwhile. */
export async function indexFile(input: RunInputs['indexFile']): Promise<{ outcome: string; pages: number }> {
  const { workspaceId, workspaceUuid, versionId } = input;
  const index = activityOf('indexFile', input, {
    taskQueue: taskQueues.files,
    startToCloseTimeout: '20m',
    heartbeatTimeout: '1m',
    // Crashes are counted in the database, and end by themselves; a storage that is away may stay so for a day.
    retry: { initialInterval: '2s', maximumInterval: '5m' },
    summary: 'Index the text, from the last stored page on',
  });
  const result = await untilDone(input, async () => {
    setCurrentDetails('Reads the file.');
    return { kind: 'idle', result: await index({ workspaceId, workspaceUuid, versionId }) };
  });
  setCurrentDetails(`Ended: \`${result.outcome}\`, ${result.pages} pages.`);
  return result;
}
