import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { SiteCrawlUrlModel, type SiteCrawlUrlRow } from './models/site-crawl-url.js';

export type { SiteCrawlUrlRow } from './models/site-crawl-url.js';

/** The crawl that addresses are queued for. */
export interface CrawlRef {
  siteId: number;
  number: number;
}

/** Its values: site and number of the crawl. */
const isQueued = `site_id = ? and crawl_number = ? and state = 'queued'`;

export interface FoundUrl {
  url: string;
  urlHash: string;
  pathHash: string;
  kind: 'page' | 'sitemap';
  depth: number;
  redirects: number;
}

/**
 * Queues addresses that the crawl has not come across yet, at most `room` of them; what earlier crawls know of them stays.
 * @returns how many were new
 */
export async function queueUrls(
  tx: Tx,
  { siteId, number }: CrawlRef,
  found: readonly FoundUrl[],
  { room, now }: { room: number; now: Date },
): Promise<number> {
  if (found.length === 0 || room <= 0) return 0;
  const queued = await prepared<{ id: number }>(
    tx,
    `insert into site_crawl_urls (workspace_id, site_id, crawl_number, url, url_hash, path_hash, kind, depth, redirects,
       state, created_at, updated_at)
     select ?, ?, ?, url, url_hash, path_hash, kind, depth, redirects, 'queued', ?, ?
     from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::int[], ?::int[]) with ordinality
       as f(url, url_hash, path_hash, kind, depth, redirects, place)
     where not exists (select from site_crawl_urls u
       where u.site_id = ? and u.url_hash = f.url_hash and u.crawl_number = ?)
     order by place limit ?
     on conflict (workspace_id, site_id, url_hash) do update set crawl_number = excluded.crawl_number,
       kind = excluded.kind, depth = excluded.depth, redirects = excluded.redirects, state = 'queued', attempts = 0,
       retry_at = null, outcome = null, http_status = null, updated_at = excluded.updated_at
     returning id`,
    [
      ...[tx.workspaceId, siteId, number, now, now],
      found.map(({ url }) => url),
      found.map(({ urlHash }) => urlHash),
      found.map(({ pathHash }) => pathHash),
      found.map(({ kind }) => kind),
      found.map(({ depth }) => depth),
      found.map(({ redirects }) => redirects),
      ...[siteId, number, room],
    ],
  );
  return queued.length;
}

/** The addresses that pages of the site were made from, oldest first. */
export async function selectUrlsOfPages(tx: Tx, siteId: number): Promise<{ url: string }[]> {
  const ofPages = 'site_id = ? and page_id is not null order by id limit 1000';
  return SiteCrawlUrlModel.pick(tx, ['url'], ofPages, [siteId]);
}

/**
 * Deletes the addresses that no page was made from, which the next crawl finds anew; of the last crawl, those that lead to others stay
 * until it does.
 */
export async function removeUnusedUrls(tx: Tx, { siteId, number }: CrawlRef): Promise<void> {
  const unused = `site_id = ? and page_id is null and written_version is null
    and (leads_to_hash is null or crawl_number < ?)`;
  await SiteCrawlUrlModel.deleteWhere(tx, unused, [siteId, number]);
}

/** Where an address leads: to the page that was made of it, or to another address. */
export type UrlLead = Pick<SiteCrawlUrlRow, 'urlHash' | 'pageId' | 'leadsToHash'>;

/** Where those of these addresses lead that are known of the source of a site, for a page that a crawl has made: for others none. */
export async function selectLeads(
  tx: EnteredTx,
  { siteId, pageId }: { siteId: number; pageId: number },
  urlHashes: readonly string[],
): Promise<UrlLead[]> {
  return SiteCrawlUrlModel.pick(
    tx,
    ['urlHash', 'pageId', 'leadsToHash'],
    'site_id = ? and url_hash = any(?) and exists (select from site_crawl_urls m where m.page_id = ?)',
    [siteId, urlHashes, pageId],
  );
}

/** Deletes the addresses of a crawl that wait to be read and were not read before. */
export async function removeQueuedUrls(tx: Tx, { siteId, number }: CrawlRef): Promise<void> {
  const unread = `${isQueued} and page_id is null and written_version is null`;
  await SiteCrawlUrlModel.deleteWhere(tx, unread, [siteId, number]);
}

/** The next address to read: the nearest to the start, and of those the first that was found. */
export async function findNextUrl(
  tx: Tx,
  { siteId, number }: CrawlRef,
  now: Date,
): Promise<SiteCrawlUrlRow | undefined> {
  return SiteCrawlUrlModel.first(
    tx,
    `${isQueued} and (retry_at is null or retry_at <= ?) order by depth, id`,
    [siteId, number, now],
  );
}

/** When the first of the addresses that wait to be asked again may be; undefined: none waits. */
export async function findNextRetry(tx: Tx, { siteId, number }: CrawlRef): Promise<Date | undefined> {
  const [found] = await prepared<{ retryAt: Date | null }>(
    tx,
    `select min(retry_at) as "retryAt" from site_crawl_urls where ${isQueued}`,
    [siteId, number],
  );
  return found?.retryAt ?? undefined;
}

export async function lockUrl(tx: Tx, id: number): Promise<SiteCrawlUrlRow | undefined> {
  return SiteCrawlUrlModel.first(tx, 'id = ? for no key update', [id]);
}

export async function findUrlByHash(
  tx: Tx,
  siteId: number,
  urlHash: string,
): Promise<SiteCrawlUrlRow | undefined> {
  return SiteCrawlUrlModel.first(tx, 'site_id = ? and url_hash = ?', [siteId, urlHash]);
}

export async function patchUrl(
  tx: Tx,
  id: number,
  changes: Partial<Omit<SiteCrawlUrlRow, 'id' | 'workspaceId'>>,
): Promise<SiteCrawlUrlRow> {
  return SiteCrawlUrlModel.patch(tx, id, changes);
}

/** The hash of another address at which this crawl has read the same contents; undefined: none. */
export async function findReadElsewhere(
  tx: Tx,
  { siteId, number }: CrawlRef,
  { id, contentHash }: { id: number; contentHash: string },
): Promise<string | undefined> {
  const same = `site_id = ? and content_hash = ? and crawl_number = ? and id <> ?
    and state = 'done' and page_id is not null limit 1`;
  const [found] = await SiteCrawlUrlModel.pick(tx, ['urlHash'], same, [siteId, contentHash, number, id]);
  return found?.urlHash;
}

/** How many addresses of a crawl differ by their query alone, by path. */
export async function countQueriesOfPaths(
  tx: Tx,
  { siteId, number }: CrawlRef,
  pathHashes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await prepared<{ pathHash: string; count: number }>(
    tx,
    `select path_hash as "pathHash", count(*)::int as count from site_crawl_urls
     where site_id = ? and crawl_number = ? and path_hash = any(?) group by path_hash`,
    [siteId, number, pathHashes],
  );
  return new Map(rows.map(({ pathHash, count }) => [pathHash, count]));
}

/** Ends what waits still to be read. */
export async function settleQueuedUrls(
  tx: Tx,
  { siteId, number }: CrawlRef,
  outcome: string,
  now: Date,
): Promise<void> {
  const settled = { state: 'done', outcome, updatedAt: now } as const;
  await SiteCrawlUrlModel.updateWhere(tx, settled, isQueued, [siteId, number]);
}

export type ListedUrl = Pick<
  SiteCrawlUrlRow,
  'id' | 'url' | 'kind' | 'depth' | 'state' | 'attempts' | 'outcome' | 'httpStatus' | 'pageId' | 'fetchedAt'
>;

/** The addresses that the last crawl has come across, in that order. */
export async function selectUrlsOfCrawl(
  tx: Tx,
  { siteId, number }: CrawlRef,
  { outcome }: { outcome?: string | undefined },
  page: Pick<PageRequest, 'page' | 'pageSize'>,
): Promise<PageOf<ListedUrl>> {
  const query = SiteCrawlUrlModel.query(tx).where({ site_id: siteId, crawl_number: number });
  if (outcome !== undefined) query.where({ outcome });
  const total = await query.clone().resultSize();
  const rows = await query
    .select('id', 'url', 'kind', 'depth', 'state', 'attempts', 'outcome')
    .select('http_status', 'page_id', 'fetched_at')
    .orderBy('id')
    .limit(page.pageSize)
    .offset(offsetOf(page as PageRequest));
  return { total, items: rows };
}
