import { beforeEach, describe, expect, it } from 'vitest';
import { findSite, type SiteRow } from '../../../../db/sites/sites.js';
import { readCrawlUrl } from '../../../../domain/sites/crawl/crawl-url.js';
import { crawlLimits } from '../../../../domain/sites/crawl/limits.js';
import { type NextRequest, nextRequest } from '../../../../domain/sites/crawl/next-request.js';
import { runningCrawls } from '../../../../domain/sites/crawl/reconcile-crawls.js';
import type { SourceAnswer } from '../../../../domain/sites/crawl/source-answer.js';
import { startCrawl } from '../../../../domain/sites/crawl/start-crawl.js';
import { recordAnswer } from '../../../../domain/sites/crawl/store-source-response.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { addSite } from '../../../support/sites/add-site.js';
import { createWorkspace, randomTag, type TestWorkspace } from '../../../support/workspace/factories.js';

const database = useDatabase();
let workspace: TestWorkspace;
let clock: MovedClock;
let site: SiteRow;
let host: string;

beforeEach(async () => {
  clock = new MovedClock();
  workspace = await createWorkspace(database.database);
  host = `www.${randomTag().toLowerCase()}.example`;
  site = await begun();
});

async function begun(of = workspace): Promise<SiteRow> {
  const row = await addSite(of);
  const start = readCrawlUrl(`https://${host}/`);
  if (start === undefined) throw new Error('no address');
  await startCrawl(of.context(undefined, clock), row.id, start, { limit: 3 });
  return row;
}

const context = () => ({ db: database.database, clock });
const refOf = (row: SiteRow) => ({ workspaceId: row.workspaceId, siteId: row.id });
const next = (row = site) => nextRequest(context(), refOf(row));
const stored = () => workspace.database.inWorkspace(site.workspaceId, (tx) => findSite(tx, site.id));

const answered = (status: number, body = '', more: object = {}): SourceAnswer => ({
  kind: 'answered',
  status,
  contentType: 'text/html',
  charset: undefined,
  location: undefined,
  etag: undefined,
  lastModified: undefined,
  retryAfterMs: undefined,
  bytes: new TextEncoder().encode(body),
  ...more,
});

function requested(step: NextRequest): Extract<NextRequest, { kind: 'request' }> {
  if (step.kind !== 'request') throw new Error(`a request was expected, not ${JSON.stringify(step)}`);
  return step;
}

/** Takes the next turn, and stores this answer. @returns the address that was asked for */
async function step(answer: SourceAnswer, row = site): Promise<string> {
  const { crawl, target, turnUntil } = requested(await next(row));
  const restMs = await recordAnswer(context(), refOf(row), { crawl, target }, answer, { baseMs: 1_000 });
  const freeAt = new Date(clock.now().getTime() + restMs);
  await database.database.identity.crawlHosts.release(crawl.host, { until: turnUntil, freeAt });
  return target.url;
}

describe('a crawl', () => {
  it('asks a host one request at a time, also for another workspace', async () => {
    const other = await begun(await createWorkspace(database.database));
    const first = requested(await next());
    expect(await next(other)).toMatchObject({ kind: 'wait' });
    const { crawlHosts } = database.database.identity;
    const freeAt = new Date(clock.now().getTime() + 5_000);
    await crawlHosts.release(first.crawl.host, { until: first.turnUntil, freeAt });
    expect(await next(other)).toMatchObject({ kind: 'wait', until: freeAt });
    clock.advance(5_000);
    expect(await next(other)).toMatchObject({ kind: 'request' });
  });

  it('gets the turn of a worker that has died after half a minute', async () => {
    requested(await next());
    clock.advance(crawlLimits.answerMs + 10_001);
    requested(await next());
  });

  it('gives an address up that has ended its worker three times', async () => {
    await step(answered(404));
    for (let attempt = 0; attempt < crawlLimits.attempts; attempt += 1) {
      expect(requested(await next()).target.url).toBe(`https://${host}/`);
      clock.advance(crawlLimits.answerMs + 10_001);
    }
    expect(requested(await next()).target.url).toBe(`https://${host}/sitemap.xml`);
  });

  it('follows its start to www and its robots.txt, and to no other domain', async () => {
    await step(answered(404));
    const www = `https://www.${host}/`;
    await step(answered(301, '', { location: www }));
    expect(await step(answered(200, 'User-agent: *\nDisallow: /'))).toBe(`${www}robots.txt`);
    expect(await next()).toMatchObject({ kind: 'ended', outcome: 'nothing_read' });
  });

  it('does not follow its start to another domain', async () => {
    await step(answered(404));
    await step(answered(302, '', { location: 'https://evil.example/' }));
    await step(answered(404));
    expect(await next()).toMatchObject({ kind: 'ended', outcome: 'nothing_read' });
  });

  it('ends at its time, however far it has come', async () => {
    await step(answered(404));
    clock.advance(hours(13));
    expect(await next()).toMatchObject({ kind: 'ended', outcome: 'timed_out' });
    expect(await stored()).toMatchObject({ crawl: false, crawlError: 'timed_out' });
    expect(await next()).toMatchObject({ kind: 'ended', outcome: 'failed' });
  });

  it('ends when who has started it may not change sites any more', async () => {
    await workspace.database.inWorkspace(site.workspaceId, (tx) =>
      tx('members').where({ id: workspace.admin.memberId }).update({ disabled_at: clock.now() }),
    );
    expect(await next()).toMatchObject({ kind: 'ended', outcome: 'author_not_allowed' });
  });

  it('ends when the grant of the AI client that has started it is gone', async () => {
    requested(await next());
    clock.advance(hours(1));
    await workspace.database.inWorkspace(site.workspaceId, (tx) =>
      tx('site_crawls').where({ site_id: site.id }).update({ started_oauth_grant_id: 999_999_999 }),
    );
    expect(await next()).toMatchObject({ kind: 'ended', outcome: 'author_not_allowed' });
  });

  it('stores nothing of an answer that comes after its end', async () => {
    await step(answered(404));
    const { crawl, target } = requested(await next());
    await runningCrawls.repair(context(), { ...refOf(site), id: crawl.id, uuid: site.uuid }, 'closed');
    const late = answered(200, '<main>Late</main>');
    await recordAnswer(context(), refOf(site), { crawl, target }, late, { baseMs: 1_000 });
    expect(await stored()).toMatchObject({
      crawl: false,
      crawlError: 'run_ended',
      pageCount: 0,
      crawlCompleted: 0,
    });
  });
});

describe('a crawl whose run is gone', () => {
  const running = async () => (await runningCrawls.page(context(), site.workspaceId)).items;
  const delivered = () => emptyOutbox(database);

  it('is not looked at while the relay has yet to start the run', async () => {
    expect(await running()).toEqual([]);
    await delivered();
    expect(await running()).toEqual([
      { workspaceId: site.workspaceId, id: expect.any(Number), siteId: site.id, uuid: site.uuid },
    ]);
  });

  it('is begun again where the run was lost, and ended where somebody has ended it', async () => {
    await delivered();
    const [crawl] = await running();
    if (crawl === undefined) throw new Error('no crawl is running');
    expect(await runningCrawls.repair(context(), crawl, 'missing')).toBe('restarted');
    expect(await running()).toEqual([]);
    expect(await runningCrawls.repair(context(), crawl, 'closed')).toBe('concluded');
    expect(await runningCrawls.repair(context(), crawl, 'closed')).toBeUndefined();
    expect(await runningCrawls.repair(context(), crawl, 'missing')).toBeUndefined();
    expect(await stored()).toMatchObject({ crawl: false, crawlError: 'run_ended' });
  });
});
