import { type ListedUrl, selectUrlsOfCrawl } from '../../../db/sites/site-crawl-urls.js';
import { findCrawl } from '../../../db/sites/site-crawls.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireSite } from '../sites/require-site.js';

/** Lists the addresses that the last crawl of a site has come across, with what became of them. @throws Forbidden, NotFound, also without a crawl */
export async function listCrawledUrls(
  { db, actor }: CommandContext,
  siteId: number,
  request: Pick<PageRequest, 'page' | 'pageSize'> & { outcome?: string },
): Promise<PageOf<ListedUrl>> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requireSite(tx, siteId);
    const crawl = await findCrawl(tx, siteId);
    if (crawl === undefined) throw new NotFound('Crawl');
    return selectUrlsOfCrawl(tx, crawl, request, request);
  });
}
