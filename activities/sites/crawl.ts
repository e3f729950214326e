import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { type CrawlOfSite, endCrawlOfRun } from '../../domain/sites/crawl/end-crawl.js';
import { crawlLimits } from '../../domain/sites/crawl/limits.js';
import { type CrawlTarget, type NextRequest, nextRequest } from '../../domain/sites/crawl/next-request.js';
import type { SourceAnswer } from '../../domain/sites/crawl/source-answer.js';
import { type StartedCrawls, startDueCrawls } from '../../domain/sites/crawl/start-due-crawls.js';
import { recordAnswer } from '../../domain/sites/crawl/store-source-response.js';
import type { SourceRequest } from '../../providers/source-site/source-site.js';
import type { CrawlStep, Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { beginSlice } from '../kernel/slice.js';
import { sitePasses } from './site-passes.js';

/** For as long a turn begins further requests; then others get the slot. */
const turnMs = 20_000;
/** Longer waits are timers of the run, which keep no slot. */
const maxWaitMs = 5_000;
/** Pauses between requests, of which the first rest of a host that does not serve is made. */
const pausesOfRest = 10;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'crawl'>;
type StartedInSlice = StartedCrawls & Sliced<{ left: number }>;
type Request = Extract<NextRequest, { kind: 'request' }>;

export function crawlActivities(dependencies: Dependencies) {
  const { db, clock, logger, crawl } = dependencies;

  return {
    /** Reads pages of the source of a site for some seconds, one at a time. Each is stored before the next is asked for. */
    async crawlPages(ref: CrawlOfSite): Promise<CrawlStep> {
      const signal = cancellationSignal();
      const beginning = performance.now();
      for (;;) {
        heartbeat();
        const next = await nextRequest(dependencies, ref);
        const { read, found } = next;
        if (next.kind === 'ended') return { kind: 'ended', outcome: next.outcome, read };
        const isOver = performance.now() - beginning > turnMs;
        if (next.kind === 'wait') {
          const waitMs = next.until.getTime() - clock.now().getTime();
          if (waitMs > maxWaitMs) return { kind: 'wait', until: next.until.getTime(), read, found };
          if (isOver) return { kind: 'again', read, found };
          await delay(Math.max(waitMs, 0), undefined, { signal });
          continue;
        }
        await request(ref, next, signal);
        if (isOver) return { kind: 'again', read, found };
      }
    },

    /** Ends the crawl whose run was cancelled by an operator. */
    async endCrawl(ref: CrawlOfSite): Promise<void> {
      await endCrawlOfRun(dependencies, ref, 'cancelled');
    },

    /** Begins the crawls that are due by schedule, at most so many in a pass. What is left is due in the next one. */
    async startDueCrawls(from?: { left: number }): Promise<StartedInSlice> {
      const most = from?.left ?? crawlLimits.scheduledInPass;
      const isOver = beginSlice();
      const pass = sitePasses(logger, isOver)('a crawl that is due was not begun');
      const begun = await startDueCrawls(dependencies, pass, most);
      const left = most - begun.started - begun.skipped - begun.failed;
      return isOver() && left > 0 ? { ...begun, next: { left } } : begun;
    },
  };

  /** Makes one request, in the turn at the host that was taken for it. */
  async function request(ref: CrawlOfSite, next: Request, signal: AbortSignal): Promise<void> {
    const { crawl: row, target, turnUntil } = next;
    const pauseMs = Math.max(row.delayMs ?? 0, crawl.delayMs);
    const backoff = { baseMs: crawl.delayMs * pausesOfRest };
    let restMs = 0;
    try {
      const answer = await ask(row.isConditional, target, signal);
      restMs = await recordAnswer(dependencies, ref, { crawl: row, target }, answer, backoff);
    } finally {
      const freeAt = new Date(clock.now().getTime() + Math.max(pauseMs, restMs));
      await db.identity.crawlHosts.release(row.host, { until: turnUntil, freeAt });
    }
  }

  async function ask(
    isConditional: boolean,
    target: CrawlTarget,
    signal: AbortSignal,
  ): Promise<SourceAnswer> {
    const { answerMs: timeoutMs, htmlBytes, sitemapBytes, robotsBytes } = crawlLimits;
    if (target.kind === 'robots')
      return askFollowing({ url: target.url, maxBytes: robotsBytes, timeoutMs, signal });
    const { kind, url, row } = target;
    const maxBytes = kind === 'page' ? htmlBytes : sitemapBytes;
    const validators = isConditional && row.pageId !== null ? validatorsOf(row) : {};
    return crawl.source.fetch({ url, maxBytes, timeoutMs, signal, ...validators });
  }

  /** robots.txt may be elsewhere (RFC 9309, 2.3.1.2). */
  async function askFollowing(request: SourceRequest): Promise<SourceAnswer> {
    let { url } = request;
    const deadline = AbortSignal.timeout(crawlLimits.answerMs);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await crawl.source.fetch({ ...request, url });
      if (
        answer.kind === 'failed' ||
        answer.location === undefined ||
        answer.status < 300 ||
        answer.status >= 400
      ) {
        return answer;
      }
      if (redirects >= crawlLimits.redirects || deadline.aborted) return answer;
      try {
        url = new URL(answer.location, url).href;
      } catch {
        return answer;
      }
    }
  }
}

function validatorsOf({ etag, lastModified }: { etag: string | null; lastModified: string | null }) {
  return { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
}
