import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import type { ErrorCode } from '../../lib/error-codes.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { requireLockedSite, requireSite } from '../sites/require-site.js';
import { type SiteView, viewSite } from '../sites/site-view.js';
import { beginCrawl } from './begin-crawl.js';
import { authorOf } from './crawl-author.js';
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
export async function checkSource(
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
 * @param start as `checkSource` returns it
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
  await db.identity.crawlHosts.forget(new Date(now.getTime() - dayMs));
  return viewSite(
    { db, actor, workspaceId: actor.workspaceId },
    async (tx) => {
      const site = await requireLockedSite(tx, siteId);
      const excludedTags =
        input.excludedTags === undefined ? site.crawlExcludedTags : tagsOf(input.excludedTags);
      const pageLimit = input.limit ?? site.crawlLimit ?? crawlLimits.pages;
      const order = { start, pageLimit, excludedTags, author: authorOf(actor) };
      const begun = await beginCrawl(db, tx, site, order, now);
      if (typeof begun === 'string') throw new Conflict(begun, problems[begun]);
      recordAudit(tx, context, 'site:crawl_started', { subject: ['site', siteId] });
      return begun;
    },
    'write',
  );
}

const problems = {
  crawl_under_way: 'The site is being crawled already.',
  too_many_crawls: `At most ${crawlLimits.runningInWorkspace} sites of a workspace are crawled at once.`,
} as const;
