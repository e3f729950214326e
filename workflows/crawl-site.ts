import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { orCancel } from './or-cancel.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/**
 * Reads another site into a site, in turns of some seconds that leave the queue to others in between. What is read and what is known to
 * be there is in the database, so that a turn goes on where the one before has ended, or was cut off.
 */
export async function crawlSite(input: RunInputs['crawlSite']): Promise<{ outcome: string; read: number }> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, workspaceUuid, siteId } = input;
  const { crawlPages } = proxyActivities<Pick<Activities, 'crawlPages'>>({
    taskQueue: taskQueues.crawls,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '1m',
    // What the source does wrong is no failure of the activity: it is repeated until the database answers.
    retry: { initialInterval: '500ms', maximumInterval: '1m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Read the next pages',
  });
  const { endCrawl } = proxyActivities<Pick<Activities, 'endCrawl'>>({
    taskQueue: taskQueues.runs,
    startToCloseTimeout: '10s',
    retry: { initialInterval: '500ms', maximumInterval: '1m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'End the crawl, which was cancelled here',
  });
  const crawl = async () => {
    for (;;) {
      woken = false;
      const step = await crawlPages({ workspaceId, siteId });
      let isLong = false;
      if (step.kind === 'ended') {
        setCurrentDetails(`Ended: \`${step.outcome}\`, ${step.read} pages.`);
        if (!woken) return { outcome: step.outcome, read: step.read };
      } else {
        const counts = `${step.read} pages read, ${step.found} addresses known.`;
        isLong = isLongForWaiting();
        if (step.kind === 'again') setCurrentDetails(counts);
        else {
          setCurrentDetails(`Waits until ${new Date(step.until).toISOString()}. ${counts}`);
          if (!isLong)
            await condition(() => woken, delayUntil(step.until), {
              summary: 'Wait until the host may be asked',
            });
        }
      }
      if (isLong || workflowInfo().continueAsNewSuggested) await continueAsNew<typeof crawlSite>(input);
    }
  };
  return await orCancel(crawl, () => endCrawl({ workspaceId, siteId }));
}
