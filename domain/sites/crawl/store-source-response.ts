import { getDomain } from 'tldts';
import {
  findUrlByHash,
  lockUrl,
  patchUrl,
  removeQueuedUrls,
  type SiteCrawlUrlRow,
  selectUrlsOfPages,
} from '../../../db/sites/site-crawl-urls.js';
import { patchCrawl, type SiteCrawlRow } from '../../../db/sites/site-crawls.js';
import { patchSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';
import { readCrawlUrl } from './crawl-url.js';
import { type CrawlError, type CrawlOfSite, endCrawl, lockCrawlOfSite } from './end-crawl.js';
import { judgeAnswer, textOfAnswer, type Verdict } from './judge-answer.js';
import { crawlLimits } from './limits.js';
import type { CrawlTarget } from './next-request.js';
import { addressAt, queueFound } from './queue-found.js';
import { readSitemap, type Sitemap } from './read-sitemap.js';
import { type ReadPage, readSourcePage } from './read-source-page.js';
import { readRobots, rulesOf } from './robots.js';
import type { SourceAnswer } from './source-answer.js';
import { markGone, recordUnchanged, writeCrawledPage } from './write-page.js';

/** The request that was answered. */
export interface AskedFor {
  crawl: SiteCrawlRow;
  target: CrawlTarget;
}

/** How long a host rests that has not served a request; each further one doubles it. */
export interface Backoff {
  baseMs: number;
}

const maxBackoffMs = 10 * 60_000;

/**
 * Stores what a crawl learns from an answer: a page, addresses, or that an address leads nowhere. If the crawl has ended meanwhile, or
 * was begun anew, nothing is stored.
 * @returns how long the host is to be left alone, beyond the pause between two requests
 */
export async function recordAnswer(
  { db, clock }: ServiceContext,
  ref: CrawlOfSite,
  { crawl: asked, target }: AskedFor,
  answer: SourceAnswer,
  backoff: Backoff,
): Promise<number> {
  const verdict = judgeAnswer(answer);
  // Reading takes time, and is done before anything is locked.
  const contents =
    verdict.kind === 'contents' ? await readContents(asked, target, verdict.answer) : undefined;
  return db.inWorkspace(ref.workspaceId, async (tx) => {
    const found = await lockCrawlOfSite(tx, ref.siteId);
    if (found?.crawl.id !== asked.id || found.crawl.status !== 'running') return 0;
    const at = { tx, site: found.site, now: clock.now() };
    if (verdict.kind === 'later' && (verdict.byHost || target.kind === 'robots')) {
      const waitMs =
        verdict.retryAfterMs ?? Math.min(backoff.baseMs * 2 ** found.crawl.refusals, maxBackoffMs);
      await patchCrawl(tx, asked.id, { refusals: found.crawl.refusals + 1, updatedAt: at.now });
      if (target.kind !== 'robots') await retryLater(at, target.row, verdict, waitMs);
      return waitMs;
    }
    const crawl = await patchCrawl(tx, asked.id, { refusals: 0, updatedAt: at.now });
    if (target.kind === 'robots') {
      if (verdict.kind !== 'later') await recordRobots(at, crawl, verdict);
    } else {
      const row = await lockUrl(tx, target.row.id);
      if (row === undefined) return 0;
      if (verdict.kind === 'later') await retryLater(at, row, verdict, backoff.baseMs);
      else await recordUrl(at, crawl, row, verdict, contents);
    }
    return 0;
  });
}

interface At {
  tx: Tx;
  site: SiteRow;
  now: Date;
}

type Contents =
  | { kind: 'page'; page: ReadPage }
  | { kind: 'sitemap'; sitemap: Sitemap }
  | { kind: 'other'; outcome: string };

async function readContents(
  { excludedTags }: SiteCrawlRow,
  target: CrawlTarget,
  answer: Extract<Verdict, { kind: 'contents' }>['answer'],
): Promise<Contents | undefined> {
  if (target.kind === 'robots') return undefined;
  if (target.kind === 'sitemap') {
    const sitemap = await readSitemap(textOfAnswer(answer), crawlLimits.urls);
    return sitemap === undefined ? { kind: 'other', outcome: 'no_sitemap' } : { kind: 'sitemap', sitemap };
  }
  if (answer.contentType !== 'text/html' && answer.contentType !== 'application/xhtml+xml') {
    return { kind: 'other', outcome: 'not_html' };
  }
  return { kind: 'page', page: await readSourcePage(textOfAnswer(answer), target.url, excludedTags) };
}

/** What an address is after its answer, unless there is more to say of it. */
const answered = (now: Date) =>
  ({ state: 'done', leadsToHash: null, fetchedAt: now, updatedAt: now }) as const;

/** Without an answer that says otherwise, everything may be read (RFC 9309, 2.3.1.3). */
async function recordRobots(
  { tx, site, now }: At,
  crawl: SiteCrawlRow,
  verdict: Exclude<Verdict, { kind: 'later' }>,
): Promise<void> {
  const rules = verdict.kind === 'contents' ? rulesOf(textOfAnswer(verdict.answer)) : '';
  const { origin } = new URL(crawl.startUrl);
  const { delayMs, sitemaps } = readRobots(rules, origin);
  const known = await patchCrawl(tx, crawl.id, { robots: rules, delayMs: delayMs ?? null });
  const places = sitemaps.length > 0 ? sitemaps : [`${origin}/sitemap.xml`];
  const withSitemaps = await queueSitemaps({ tx, site, now }, known, places, {
    level: 0,
    base: origin,
  });
  const pages = (await selectUrlsOfPages(tx, site.id)).map(({ url }) => url);
  await queueFound(tx, withSitemaps, pages, { kind: 'page', depth: 1 }, now);
}

async function queueSitemaps(
  { tx, now }: At,
  crawl: SiteCrawlRow,
  addresses: readonly string[],
  { level, base }: { level: number; base: string },
): Promise<SiteCrawlRow> {
  const where = { kind: 'sitemap', depth: level, base } as const;
  return queueFound(tx, crawl, addresses.slice(0, crawlLimits.sitemaps), where, now);
}

async function retryLater(
  { tx, now }: At,
  row: SiteCrawlUrlRow,
  { status }: Extract<Verdict, { kind: 'later' }>,
  waitMs: number,
): Promise<void> {
  const attempts = (await lockUrl(tx, row.id))?.attempts ?? crawlLimits.attempts;
  const next =
    attempts >= crawlLimits.attempts
      ? ({ state: 'done', outcome: 'failed' } as const)
      : { retryAt: new Date(now.getTime() + waitMs) };
  await patchUrl(tx, row.id, { ...next, httpStatus: status, fetchedAt: now, updatedAt: now });
}

async function recordUrl(
  at: At,
  crawl: SiteCrawlRow,
  row: SiteCrawlUrlRow,
  verdict: Exclude<Verdict, { kind: 'later' }>,
  contents: Contents | undefined,
): Promise<void> {
  const { tx, now } = at;
  const done = (outcome: string, status: number | null) =>
    patchUrl(tx, row.id, { ...answered(now), outcome, httpStatus: status });
  if (verdict.kind === 'redirect') return recordRedirect(at, crawl, row, verdict);
  if (verdict.kind === 'settled') {
    const isGone = verdict.outcome === 'not_found' && (await markGone(at, row));
    await done(isGone ? 'gone' : verdict.outcome, verdict.status);
    return;
  }
  if (verdict.kind === 'unchanged') {
    const outcome = await recordUnchanged(at, row);
    await done(outcome, 304);
    if (outcome === 'unchanged') await countRead(at, crawl);
    return;
  }
  if (contents === undefined || contents.kind === 'other') {
    await done(contents?.outcome ?? 'not_html', 200);
    return;
  }
  if (contents.kind === 'sitemap') {
    const { kind, urls, isPartial } = contents.sitemap;
    await done(isPartial === true ? 'sitemap_partial' : 'sitemap', 200);
    if (kind === 'pages') await queueFound(tx, crawl, urls, { kind: 'page', depth: 1, base: row.url }, now);
    else if (row.depth < crawlLimits.sitemapLevels)
      await queueSitemaps(at, crawl, urls, { level: row.depth + 1, base: row.url });
    return;
  }
  await recordPage(at, crawl, row, contents.page, verdict.answer);
}

async function recordPage(
  at: At,
  crawl: SiteCrawlRow,
  row: SiteCrawlUrlRow,
  page: ReadPage,
  { etag, lastModified }: Extract<Verdict, { kind: 'contents' }>['answer'],
): Promise<void> {
  const { tx, now } = at;
  const asked = { ...answered(now), httpStatus: 200 };
  const canonical =
    page.canonical === undefined ? undefined : addressAt(crawl, page.canonical, { base: row.url });
  if (canonical !== undefined && canonical.urlHash !== row.urlHash) {
    const other = await findUrlByHash(tx, crawl.siteId, canonical.urlHash);
    // Two pages that each name the other are read.
    if (other?.crawlNumber !== crawl.number || other.outcome !== 'canonical_elsewhere') {
      const leadsToHash = canonical.urlHash;
      await patchUrl(tx, row.id, { ...asked, outcome: 'canonical_elsewhere', leadsToHash });
      await queueFound(tx, crawl, [canonical.url], { kind: 'page', depth: row.depth }, now);
      return;
    }
  }
  const validators = { etag: etag ?? null, lastModified: lastModified ?? null };
  const written = await writeCrawledPage(at, crawl, row, page).catch((error: unknown) => {
    if (error instanceof Conflict && isEnd(error.code)) return error.code;
    throw error;
  });
  if (typeof written === 'string') {
    await patchUrl(tx, row.id, { ...asked, outcome: 'not_read' });
    await endCrawl(tx, crawl, { error: written }, now);
    return;
  }
  await patchUrl(tx, row.id, { ...asked, ...validators, ...written });
  if (written.outcome === 'duplicate') return;
  const counted = written.outcome === 'deleted' ? crawl : await countRead(at, crawl);
  const base = page.base ?? row.url;
  await queueFound(tx, counted, page.links, { kind: 'page', depth: row.depth + 1, base }, now);
}

const ends: readonly CrawlError[] = ['too_many_pages', 'site_full'];

function isEnd(code: string): code is 'too_many_pages' | 'site_full' {
  return (ends as readonly string[]).includes(code);
}

async function countRead({ tx, now }: At, crawl: SiteCrawlRow): Promise<SiteCrawlRow> {
  const read = crawl.read + 1;
  await patchSite(tx, crawl.siteId, { crawlCompleted: read });
  return patchCrawl(tx, crawl.id, { read, updatedAt: now });
}

/** Redirects are followed at the host. Only the start may lead to another host, of the same domain: `www`, or without it. */
async function recordRedirect(
  { tx, now }: At,
  crawl: SiteCrawlRow,
  row: SiteCrawlUrlRow,
  { location, status }: Extract<Verdict, { kind: 'redirect' }>,
): Promise<void> {
  const asked = { ...answered(now), httpStatus: status };
  const redirects = row.redirects + 1;
  const target = readCrawlUrl(location, row.url);
  const isStart = row.depth === 0 && row.kind === 'page';
  if (redirects > crawlLimits.redirects) {
    await patchUrl(tx, row.id, { ...asked, outcome: 'too_many_redirects' });
  } else if (target !== undefined && isStart && isMove(crawl, target)) {
    const isSame = target.urlHash === row.urlHash;
    const again = { url: target.url, state: 'queued', outcome: null, attempts: 0, redirects } as const;
    const leads = { outcome: 'redirect', leadsToHash: target.urlHash };
    await patchUrl(tx, row.id, { ...asked, ...(isSame ? again : leads) });
    if (!isSame) await removeQueuedUrls(tx, crawl);
    const moved = { startUrl: target.url, host: target.host, robots: null, delayMs: null };
    const at = await patchCrawl(tx, crawl.id, moved);
    if (!isSame) await queueFound(tx, at, [target.url], { kind: 'page', depth: 0, redirects }, now);
  } else if (target === undefined || target.host !== crawl.host) {
    await patchUrl(tx, row.id, { ...asked, outcome: 'redirect_elsewhere' });
  } else {
    await patchUrl(tx, row.id, { ...asked, outcome: 'redirect', leadsToHash: target.urlHash });
    const { kind, depth } = row;
    await queueFound(tx, crawl, [target.url], { kind, depth, redirects }, now);
  }
}

/** Whether the start leads to another host or scheme of the same domain. */
function isMove({ startUrl }: SiteCrawlRow, target: { url: string; host: string }): boolean {
  const [from, to] = [new URL(startUrl), new URL(target.url)];
  if (from.origin === to.origin) return false;
  return (
    from.hostname === to.hostname ||
    (getDomain(from.hostname) !== null && getDomain(from.hostname) === getDomain(to.hostname))
  );
}
