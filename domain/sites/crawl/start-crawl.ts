import { isDeepStrictEqual } from 'node:util';
import { lockSubject } from '../../../db/lock-subject.js';
import { queueUrls, removeUnusedUrls } from '../../../db/sites/site-crawl-urls.js';
import { countRunningCrawls, insertCrawl, lockCrawl, removeCrawl } from '../../../db/sites/site-crawls.js';
import { patchSite } from '../../../db/sites/sites.js';
import { noteAudit } from '../../kernel/audit/note-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { keepApiKey } from '../../kernel/keep-api-key.js';
import { pokeCrawlRun } from '../../kernel/runs.js';
import type { ErrorCode } from '../../lib/error-codes.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { requireLockedSite, requireSite } from '../sites/require-site.js';
import { type SiteView, viewSite } from '../sites/site-view.js';
import { type CrawlUrl, notCrawlable, readCrawlUrl, tagsOf } from './crawl-url.js';
import { crawlLimits } from './limits.js';

/** Checks whether the service may read from an address. Implemented by the provider that reads. */
export interface SourceAddresses {
  /** Resolves to the problem, if there is one. Makes a DNS query, with a timeout of some seconds. */
  check(url: string): Promise<{ code: ErrorCode<'invalid'>; detail: string } | undefined>;
}

/** What a crawl reads. What is left out is as the site says. */
export interface CrawlInput {
  url?: string;
  /** Pages at most. */
  limit?: number;
  /** Names of elements. */
  excludedTags?: string[];
}

const dayMs = 24 * 3_600_000;

/**
 * Looks at the address that a crawl is to begin at. Takes seconds, because it asks the DNS: call it before the transaction.
 * @throws Forbidden, NotFound, InvalidInput
 */
export async function lookAtSource(
  { db, actor }: CommandContext,
  sources: SourceAddresses,
  siteId: number,
  { url: given }: CrawlInput,
): Promise<CrawlUrl> {
  actor.require('sites:write');
  const site = await db.readInWorkspace(actor.workspaceId, (tx) => requireSite(tx, siteId));
  const url = given ?? site.crawlUrl;
  if (url === null) throw InvalidInput.field('/url', 'is required, as the site has no crawlUrl');
  const start = readCrawlUrl(url);
  if (start === undefined) throw InvalidInput.field('/url', notCrawlable);
  const problem = await sources.check(start.url);
  if (problem !== undefined) throw InvalidInput.field('/url', problem.detail, problem.code);
  return start;
}

/**
 * Starts to read another site into drafts of this one, by the right of the caller.
 * @param start as `lookAtSource` returns it
 * @throws NotFound, Forbidden, Conflict `crawl_under_way`, `too_many_crawls`
 */
export async function startCrawl(
  context: CommandContext,
  siteId: number,
  start: CrawlUrl,
  input: Omit<CrawlInput, 'url'>,
): Promise<SiteView> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  const now = clock.now();
  const deadlineAt = new Date(now.getTime() + crawlLimits.durationMs);
  const apiKeyId = actor.credential.kind === 'api_key' ? actor.credential.id : null;
  await db.identity.crawlHosts.forget(new Date(now.getTime() - dayMs));
  return viewSite(
    { db, actor, workspaceId: actor.workspaceId },
    async (tx) => {
      const site = await requireLockedSite(tx, siteId);
      const earlier = await lockCrawl(tx, siteId);
      if (earlier?.status === 'running')
        throw new Conflict('crawl_under_way', 'The site is being crawled already.');
      await lockSubject(tx, 'site_crawls');
      if ((await countRunningCrawls(tx)) >= crawlLimits.runningInWorkspace) {
        const most = crawlLimits.runningInWorkspace;
        throw new Conflict('too_many_crawls', `At most ${most} sites of a workspace are crawled at once.`);
      }
      const excludedTags =
        input.excludedTags === undefined ? site.crawlExcludedTags : tagsOf(input.excludedTags);
      const pageLimit = input.limit ?? site.crawlLimit ?? crawlLimits.pages;
      if (earlier !== undefined) await removeCrawl(tx, earlier.id);
      await removeUnusedUrls(tx, siteId);
      const number = (earlier?.number ?? 0) + 1;
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
        startedByMemberId: actor.memberId,
        startedApiKeyId: apiKeyId,
        deadlineAt,
        createdAt: now,
        updatedAt: now,
      });
      const first = { ...start, kind: 'page', depth: 0, redirects: 0 } as const;
      await queueUrls(tx, { siteId, number }, [first], { room: 1, now });
      await keepApiKey(db, tx, { apiKeyId, dueAt: deadlineAt });
      await pokeCrawlRun(tx, site);
      noteAudit(tx, context, 'site:crawl_started', { subject: ['site', siteId] });
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
    },
    'write',
  );
}
