import { subjectsWaiting } from '../../../db/outbox.js';
import { findCrawl, selectRunningCrawls } from '../../../db/sites/site-crawls.js';
import type { ServiceContext } from '../../kernel/context.js';
import { pokeCrawlRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';
import { type CrawlOfSite, endCrawlOfRun } from './end-crawl.js';

/** A crawl under way, which needs its run. */
export interface RunningCrawl extends CrawlOfSite {
  siteUuid: string;
}

const pageSize = 200;

/** Returns the next of such crawls, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfRunningCrawls(
  { db }: ServiceContext,
  workspaceId: number,
  after = 0,
): Promise<WalkPage<RunningCrawl, number>> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const crawls = await selectRunningCrawls(tx, { after, limit: pageSize });
    const waiting = await subjectsWaiting(
      tx,
      'crawlSite',
      crawls.map(({ siteUuid }) => siteUuid),
    );
    const items = crawls
      .filter(({ siteUuid }) => !waiting.has(siteUuid))
      .map(({ siteId, siteUuid }) => ({ workspaceId, siteId, siteUuid }));
    return { items, next: crawls.length < pageSize ? undefined : crawls.at(-1)?.id };
  });
}

/** A lost run is begun again, where it was. One that was ended by an operator, or has failed, ends its crawl. */
export async function mendCrawl(
  context: ServiceContext,
  { workspaceId, siteId, siteUuid }: RunningCrawl,
  status: 'closed' | 'missing',
): Promise<'restarted' | 'concluded' | undefined> {
  if (status === 'closed') {
    return (await endCrawlOfRun(context, { workspaceId, siteId }, 'run_ended')) ? 'concluded' : undefined;
  }
  return context.db.inWorkspace(workspaceId, async (tx) => {
    if ((await findCrawl(tx, siteId))?.status !== 'running') return undefined;
    await pokeCrawlRun(tx, { id: siteId, uuid: siteUuid });
    return 'restarted';
  });
}
