import { settleQueuedUrls } from '../../../db/sites/site-crawl-urls.js';
import { lockCrawl, patchCrawl, type SiteCrawlRow } from '../../../db/sites/site-crawls.js';
import { lockSite, patchSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext, ServiceContext } from '../../kernel/context.js';
import { pokeCrawlRun } from '../../kernel/runs.js';
import { requireLockedSite } from '../sites/require-site.js';
import { type SiteView, viewSite } from '../sites/site-view.js';

/** Why a crawl has not read all that it was to read. */
export type CrawlError =
  | 'cancelled'
  | 'nothing_read'
  | 'source_unavailable'
  | 'robots_unavailable'
  | 'timed_out'
  | 'author_not_allowed'
  | 'too_many_pages'
  | 'site_full'
  | 'run_ended';

export interface CrawlOfSite {
  workspaceId: number;
  siteId: number;
}

/** Ends a crawl under the lock of its site. What waits to be read is not read. */
export async function endCrawl(
  tx: Tx,
  { siteId, id, number }: Pick<SiteCrawlRow, 'siteId' | 'id' | 'number'>,
  { error, isLimited = false }: { error: CrawlError | null; isLimited?: boolean },
  now: Date,
): Promise<void> {
  const status = error === null ? 'completed' : error === 'cancelled' ? 'cancelled' : 'failed';
  await patchCrawl(tx, id, { status, updatedAt: now });
  await settleQueuedUrls(tx, { siteId, number }, isLimited ? 'over_limit' : 'not_read', now);
  const end = error === null ? { crawlCompletedAt: now } : { crawlFailedAt: now, crawlError: error };
  await patchSite(tx, siteId, { crawl: false, ...end });
}

/** Cancels the crawl of a site; what it has read stays. Without a crawl under way, nothing changes. @throws NotFound, Forbidden */
export async function cancelCrawl(context: CommandContext, siteId: number): Promise<SiteView> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  return viewSite(
    { db, actor, workspaceId: actor.workspaceId },
    async (tx) => {
      const site = await requireLockedSite(tx, siteId);
      const crawl = await lockCrawl(tx, siteId);
      if (crawl?.status !== 'running') return site;
      await endCrawl(tx, crawl, { error: 'cancelled' }, clock.now());
      await pokeCrawlRun(tx, site);
      recordAudit(tx, context, 'site:crawl_cancelled', { subject: ['site', siteId] });
      return requireLockedSite(tx, siteId);
    },
    'write',
  );
}

/** Ends the crawl of a site whose run has ended, or is about to. @returns whether there was one under way */
export async function endCrawlOfRun(
  { db, clock }: ServiceContext,
  { workspaceId, siteId }: CrawlOfSite,
  error: 'cancelled' | 'run_ended',
): Promise<boolean> {
  return db.inWorkspace(workspaceId, async (tx) => {
    const found = await lockCrawlOfSite(tx, siteId);
    if (found?.crawl.status !== 'running') return false;
    await endCrawl(tx, found.crawl, { error }, clock.now());
    return true;
  });
}

/** Locks a site and its crawl, in the order of all who change both. */
export async function lockCrawlOfSite(
  tx: Tx,
  siteId: number,
): Promise<{ site: SiteRow; crawl: SiteCrawlRow } | undefined> {
  const site = await lockSite(tx, siteId);
  const crawl = site === undefined ? undefined : await lockCrawl(tx, siteId);
  return site === undefined || crawl === undefined ? undefined : { site, crawl };
}
