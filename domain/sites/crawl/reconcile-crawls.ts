import { findCrawl, selectRunningCrawls } from '../../../db/sites/site-crawls.js';
import { pagesById, type RowOfRun, type RowsOfRun } from '../../kernel/reconcile-rows.js';
import { pokeCrawlRun } from '../../kernel/runs.js';
import { endCrawlOfRun } from './end-crawl.js';

/** Crawls under way. A lost run is begun again, where it was. One that was ended by an operator, or has failed, ends its crawl. */
export const runningCrawls: RowsOfRun<RowOfRun & { siteId: number }> = {
  ...pagesById({
    name: 'crawls',
    runType: 'crawlSite',
    async select(tx, next) {
      const crawls = await selectRunningCrawls(tx, next);
      return crawls.map(({ siteUuid, ...crawl }) => ({ ...crawl, uuid: siteUuid }));
    },
    more: ({ siteId }) => ({ siteId }),
  }),
  async repair(context, { workspaceId, siteId, uuid }, run) {
    if (run === 'closed') {
      const isEnded = await endCrawlOfRun(context, { workspaceId, siteId }, 'run_ended');
      return isEnded ? 'concluded' : undefined;
    }
    return context.db.inWorkspace(workspaceId, async (tx) => {
      if ((await findCrawl(tx, siteId))?.status !== 'running') return undefined;
      await pokeCrawlRun(tx, { id: siteId, uuid });
      return 'restarted';
    });
  },
};
