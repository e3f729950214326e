import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../db/database.js';
import { lockSubject } from '../../../db/lock-subject.js';
import { queueUrls, removeUnusedUrls } from '../../../db/sites/site-crawl-urls.js';
import { countRunningCrawls, insertCrawl, lockCrawl, removeCrawl } from '../../../db/sites/site-crawls.js';
import { patchSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { keepApiKey } from '../../kernel/keep-api-key.js';
import { pokeCrawlRun } from '../../kernel/runs.js';
import type { CrawlAuthor } from './crawl-author.js';
import type { CrawlUrl } from './crawl-url.js';
import { crawlLimits } from './limits.js';

/** What is read, and by whose right. */
export interface CrawlOrder {
  start: CrawlUrl;
  pageLimit: number;
  /** As `tagsOf` returns them. */
  excludedTags: string[];
  author: CrawlAuthor;
}

/**
 * Begins to crawl a site, unless it is being crawled, or as many of its workspace as may be at once. The caller holds the lock of the
 * site.
 * @returns the site, or why nothing was begun
 */
export async function beginCrawl(
  db: Database,
  tx: Tx,
  site: SiteRow,
  { start, pageLimit, excludedTags, author }: CrawlOrder,
  now: Date,
): Promise<SiteRow | 'crawl_under_way' | 'too_many_crawls'> {
  const siteId = site.id;
  const earlier = await lockCrawl(tx, siteId);
  if (earlier?.status === 'running') return 'crawl_under_way';
  await lockSubject(tx, 'site_crawls');
  if ((await countRunningCrawls(tx)) >= crawlLimits.runningInWorkspace) return 'too_many_crawls';
  if (earlier !== undefined) await removeCrawl(tx, earlier.id);
  const before = earlier?.number ?? 0;
  await removeUnusedUrls(tx, { siteId, number: before });
  const number = before + 1;
  const deadlineAt = new Date(now.getTime() + crawlLimits.durationMs);
  const crawl = await insertCrawl(tx, {
    siteId,
    number,
    status: 'running',
    startUrl: start.url,
    host: start.host,
    pageLimit,
    excludedTags,
    isConditional: isDeepStrictEqual(earlier?.excludedTags, excludedTags),
    robots: null,
    delayMs: null,
    found: 1,
    read: 0,
    refusals: 0,
    startedByMemberId: author.memberId,
    startedApiKeyId: author.apiKeyId,
    startedOauthGrantId: author.oauthGrantId,
    deadlineAt,
    createdAt: now,
    updatedAt: now,
  });
  const first = { ...start, kind: 'page', depth: 0, redirects: 0 } as const;
  await queueUrls(tx, { siteId, number }, [first], { room: 1, now });
  await keepApiKey(db, tx, { apiKeyId: author.apiKeyId, dueAt: deadlineAt });
  await pokeCrawlRun(tx, site);
  return patchSite(tx, siteId, {
    crawl: true,
    crawlUrl: start.url,
    crawlLimit: pageLimit,
    crawlExcludedTags: excludedTags,
    crawlJobId: crawl.uuid,
    crawlStartedAt: now,
    crawlCompletedAt: null,
    crawlPrevious: site.crawlCompleted,
    crawlCompleted: 0,
    crawlFailedAt: null,
    crawlError: null,
  });
}
