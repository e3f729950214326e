import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { cancellationOf, orCancel } from './or-cancel.js';
import { type Next, untilDone } from './until-done.js';
import { isLongForWaiting } from './waiting.js';

type Crawled = { outcome: string; read: number };

/**
 * Reads another site into a site, in turns of some seconds that leave the queue to others in between. What is read and what is known to
 * be there is in the database, so that a turn goes on where the one before has ended, or was cut off.
 */
export async function crawlSite(input: RunInputs['crawlSite']): Promise<Crawled> {
  const { workspaceId, siteId } = input;
  const crawlPages = activityOf('crawlPages', input, {
    taskQueue: taskQueues.crawls,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '1m',
    // What the source does wrong is no failure of the activity: it is repeated until the database answers.
    retry: { initialInterval: '500ms', maximumInterval: '1m' },
    summary: 'Read the next pages',
  });
  const endCrawl = cancellationOf('endCrawl', input, 'End the crawl, which was cancelled here');
  const readNext = async (): Promise<Next<Crawled>> => {
    const step = await crawlPages({ workspaceId, siteId });
    if (step.kind === 'ended') {
      const { outcome, read } = step;
      setCurrentDetails(`Ended: \`${outcome}\`, ${read} pages.`);
      return { kind: 'idle', result: { outcome, read } };
    }
    const counts = `${step.read} pages read, ${step.found} addresses known.`;
    if (step.kind === 'again') {
      setCurrentDetails(counts);
      return { kind: isLongForWaiting() ? 'anew' : 'again' };
    }
    setCurrentDetails(`Waits until ${new Date(step.until).toISOString()}. ${counts}`);
    return { kind: 'wait', until: step.until, summary: 'Wait until the host may be asked' };
  };
  return await orCancel(
    () => untilDone(input, readNext),
    () => endCrawl({ workspaceId, siteId }),
  );
}
