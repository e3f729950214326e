import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';

/** Indexes the text of one version of a file, and again when it is poked meanwhile. */
export async function indexFile(input: RunInputs['indexFile']): Promise<{ outcome: string; pages: number }> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, workspaceUuid, versionId } = input;
  const { indexFile: index } = proxyActivities<Pick<Activities, 'indexFile'>>({
    taskQueue: taskQueues.files,
    startToCloseTimeout: '20m',
    heartbeatTimeout: '1m',
    // Crashes are counted in the database, and end by themselves; a storage that is away may stay so for a day.
    retry: { initialInterval: '2s', maximumInterval: '5m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Index the text, from the last stored page on',
  });
  let result = { outcome: 'done', pages: 0 };
  while (woken) {
    woken = false;
    setCurrentDetails('Reads the file.');
    result = await index({ workspaceId, workspaceUuid, versionId });
    if (woken && workflowInfo().continueAsNewSuggested) await continueAsNew<typeof indexFile>(input);
  }
  setCurrentDetails(`Ended: \`${result.outcome}\`, ${result.pages} pages.`);
  return result;
}
