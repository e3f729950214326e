import type { SiteRow } from '../../../db/sites/sites.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { readCrawlUrl } from '../../../domain/sites/crawl/crawl-url.js';
import { nextRequest } from '../../../domain/sites/crawl/next-request.js';
import type { SourceAnswer } from '../../../domain/sites/crawl/source-answer.js';
import { startCrawl } from '../../../domain/sites/crawl/start-crawl.js';
import { recordAnswer } from '../../../domain/sites/crawl/store-source-response.js';

/** What a source answers at a path: the contents of a page, or where it redirects to. */
export type Source = Record<string, string | { redirect: string }>;

/** Crawls a site to its end, without a run, from a source that answers at once. @returns how it has ended */
export async function crawlFrom(
  context: CommandContext,
  { id: siteId, workspaceId }: Pick<SiteRow, 'id' | 'workspaceId'>,
  origin: string,
  source: Source,
): Promise<string> {
  const ref = { workspaceId, siteId };
  const start = readCrawlUrl(`${origin}/`);
  if (start === undefined) throw new Error('no address');
  await startCrawl(context, siteId, start, { limit: 50 });
  for (;;) {
    const next = await nextRequest(context, ref);
    if (next.kind === 'ended') return next.outcome;
    if (next.kind === 'wait') throw new Error('a source that answers at once is not waited for');
    const { crawl, target, turnUntil } = next;
    const answer = answerAt(source[target.url.slice(origin.length)]);
    await recordAnswer(context, ref, { crawl, target }, answer, { baseMs: 0 });
    await context.db.identity.crawlHosts.release(crawl.host, {
      until: turnUntil,
      freeAt: context.clock.now(),
    });
  }
}

function answerAt(found: Source[string] | undefined): SourceAnswer {
  const isPage = typeof found === 'string';
  return {
    kind: 'answered',
    status: isPage ? 200 : found === undefined ? 404 : 301,
    contentType: 'text/html',
    charset: undefined,
    location: isPage ? undefined : found?.redirect,
    etag: undefined,
    lastModified: undefined,
    retryAfterMs: undefined,
    bytes: new TextEncoder().encode(isPage ? found : ''),
  };
}
