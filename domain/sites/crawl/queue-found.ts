import { countQueriesOfPaths, type FoundUrl, queueUrls } from '../../../db/sites/site-crawl-urls.js';
import { patchCrawl, type SiteCrawlRow } from '../../../db/sites/site-crawls.js';
import type { Tx } from '../../../db/tx.js';
import { type CrawlUrl, readCrawlUrl } from './crawl-url.js';
import { crawlLimits } from './limits.js';

interface Where {
  kind: 'page' | 'sitemap';
  depth: number;
  redirects?: number;
  /** The page that links to them. */
  base?: string;
}

/**
 * Queues those of these addresses that the crawl may read, at its own host, and has not come across. Of a path, only so many queries.
 * @returns the crawl, with the number of its addresses
 */
export async function queueFound(
  tx: Tx,
  crawl: SiteCrawlRow,
  addresses: readonly string[],
  { kind, depth, redirects = 0, base }: Where,
  now: Date,
): Promise<SiteCrawlRow> {
  const room = crawlLimits.urls - crawl.found;
  if (room <= 0 || depth > crawlLimits.depth) return crawl;
  const found = new Map<string, CrawlUrl>();
  for (const address of addresses) {
    const url = addressAt(crawl, address, { base, kind });
    if (url !== undefined) found.set(url.urlHash, url);
  }
  const inBounds = await withinQueries(tx, crawl, [...found.values()]);
  const rows = inBounds.map(({ url, urlHash, pathHash }): FoundUrl => {
    return { url, urlHash, pathHash, kind, depth, redirects };
  });
  const added = await queueUrls(tx, crawl, rows, { room, now });
  return added === 0 ? crawl : patchCrawl(tx, crawl.id, { found: crawl.found + added, updatedAt: now });
}

/** An address at the host of the crawl, by its own scheme; undefined: it is none. */
export function addressAt(
  { host, startUrl }: SiteCrawlRow,
  address: string,
  { base, kind = 'page' }: { base?: string | undefined; kind?: 'page' | 'sitemap' } = {},
): CrawlUrl | undefined {
  const url = readCrawlUrl(address, base, kind);
  if (url === undefined || url.host !== host) return undefined;
  const { protocol } = new URL(startUrl);
  return url.url.startsWith(protocol)
    ? url
    : readCrawlUrl(url.url.replace(/^https?:/, protocol), undefined, kind);
}

/** Without those whose path has as many queries already as a crawl reads: calendars and filters have no end. */
async function withinQueries(tx: Tx, crawl: SiteCrawlRow, urls: readonly CrawlUrl[]): Promise<CrawlUrl[]> {
  const paths = [...new Set(urls.filter(({ hasQuery }) => hasQuery).map(({ pathHash }) => pathHash))];
  const counts = paths.length === 0 ? new Map<string, number>() : await countQueriesOfPaths(tx, crawl, paths);
  return urls.filter(({ hasQuery, pathHash }) => {
    if (!hasQuery) return true;
    const count = (counts.get(pathHash) ?? 0) + 1;
    counts.set(pathHash, count);
    return count <= crawlLimits.queriesOfPath;
  });
}
