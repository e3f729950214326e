import {
  findNextRetry,
  findNextUrl,
  patchUrl,
  type SiteCrawlUrlRow,
} from '../../../db/sites/site-crawl-urls.js';
import type { SiteCrawlRow } from '../../../db/sites/site-crawls.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { mayCrawl } from './crawl-author.js';
import { type CrawlError, type CrawlOfSite, endCrawl, lockCrawlOfSite } from './end-crawl.js';
import { crawlLimits } from './limits.js';
import { type Robots, readRobots } from './robots.js';

/** What is asked of the source next. */
export type CrawlTarget =
  | { kind: 'robots'; url: string }
  | { kind: 'page' | 'sitemap'; url: string; row: SiteCrawlUrlRow };

export type NextRequest = { read: number; found: number } & (
  | { kind: 'ended'; outcome: string }
  | { kind: 'wait'; until: Date }
  /** The turn at the host is taken until `turnUntil`. */
  | { kind: 'request'; crawl: SiteCrawlRow; target: CrawlTarget; turnUntil: Date }
);

/** Longer than a request and what is stored of it may take; a turn whose worker has died is free again then. */
const turnMs = crawlLimits.answerMs + 10_000;
/** Addresses that are passed over in one transaction. */
const maxPassedOver = 100;

/**
 * Decides what the crawl of a site does next, and begins it: an attempt counts before its request is made, so that one that kills the
 * worker is given up like others. Ends the crawl when it has come to its end.
 */
export async function nextRequest(
  { db, clock }: ServiceContext,
  { workspaceId, siteId }: CrawlOfSite,
): Promise<NextRequest> {
  return db.inWorkspace(workspaceId, async (tx): Promise<NextRequest> => {
    const found = await lockCrawlOfSite(tx, siteId);
    if (found === undefined) return { kind: 'ended', outcome: 'gone', read: 0, found: 0 };
    const { crawl } = found;
    const counts = { read: crawl.read, found: crawl.found };
    if (crawl.status !== 'running') return { kind: 'ended', outcome: crawl.status, ...counts };
    const now = clock.now();
    const ended = await reasonToEnd(tx, crawl, now);
    if (ended !== undefined) {
      await endCrawl(tx, crawl, ended, now);
      return { kind: 'ended', outcome: ended.error ?? 'completed', ...counts };
    }
    const target = crawl.robots === null ? robotsOf(crawl) : await nextTarget(tx, crawl, crawl.robots, now);
    if (target === 'again') return { kind: 'wait', until: now, ...counts };
    if (target === undefined) {
      const retryAt = await findNextRetry(tx, crawl);
      if (retryAt !== undefined) return { kind: 'wait', until: sooner(retryAt, crawl.deadlineAt), ...counts };
      const error = crawl.read === 0 ? 'nothing_read' : null;
      await endCrawl(tx, crawl, { error }, now);
      return { kind: 'ended', outcome: error ?? 'completed', ...counts };
    }
    const turnUntil = new Date(now.getTime() + turnMs);
    const busyUntil = await db.identity.crawlHosts.take(crawl.host, { now, until: turnUntil }, tx);
    if (busyUntil !== undefined)
      return { kind: 'wait', until: sooner(busyUntil, crawl.deadlineAt), ...counts };
    if (target.kind !== 'robots')
      await patchUrl(tx, target.row.id, { attempts: target.row.attempts + 1, updatedAt: now });
    return { kind: 'request', crawl, target, turnUntil, ...counts };
  });
}

async function reasonToEnd(
  tx: Tx,
  crawl: SiteCrawlRow,
  now: Date,
): Promise<{ error: CrawlError | null; isLimited?: boolean } | undefined> {
  if (crawl.read >= crawl.pageLimit) return { error: null, isLimited: true };
  if (crawl.refusals >= crawlLimits.refusals) {
    return { error: crawl.robots === null ? 'robots_unavailable' : 'source_unavailable' };
  }
  if (crawl.deadlineAt <= now) return { error: 'timed_out' };
  const author = {
    memberId: crawl.startedByMemberId,
    apiKeyId: crawl.startedApiKeyId,
    oauthGrantId: crawl.startedOauthGrantId,
  };
  return (await mayCrawl(tx, author, now)) ? undefined : { error: 'author_not_allowed' };
}

function robotsOf({ startUrl }: SiteCrawlRow): CrawlTarget {
  return { kind: 'robots', url: `${new URL(startUrl).origin}/robots.txt` };
}

/** The next address that may be asked for. `again`: many were passed over, and there may be more. */
async function nextTarget(
  tx: Tx,
  crawl: SiteCrawlRow,
  rules: string,
  now: Date,
): Promise<CrawlTarget | 'again' | undefined> {
  let robots: Robots | undefined;
  for (let passed = 0; passed < maxPassedOver; passed += 1) {
    const row = await findNextUrl(tx, crawl, now);
    if (row === undefined) return undefined;
    robots ??= readRobots(rules, new URL(crawl.startUrl).origin);
    const outcome = passedOver(row, robots);
    if (outcome === undefined) return { kind: row.kind, url: row.url, row };
    await patchUrl(tx, row.id, { state: 'done', outcome, updatedAt: now });
  }
  return 'again';
}

function passedOver({ attempts, url }: SiteCrawlUrlRow, robots: Robots): 'failed' | 'disallowed' | undefined {
  if (attempts >= crawlLimits.attempts) return 'failed';
  return robots.allows(url) ? undefined : 'disallowed';
}

function sooner(one: Date, other: Date): Date {
  return one < other ? one : other;
}
