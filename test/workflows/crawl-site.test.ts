import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import { type SimulatedWebsite, startSimulatedWebsite } from '../support/simulators/simulated-website.js';
import { addSite } from '../support/sites/add-site.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { createWorkspace } from '../support/workspace/factories.js';

const { system, workspace } = useSmsWorkspace(startSystem);
let website: SimulatedWebsite;

beforeAll(async () => {
  website = await startSimulatedWebsite();
});
afterAll(() => website.close());
beforeEach(async () => {
  await website.resetKnobs();
  await website.forgetRequests();
});

interface Crawled {
  id: number;
  uuid: string;
  path: string;
}

async function newSite(): Promise<Crawled> {
  const { id, uuid } = await addSite(workspace, { isPublic: false });
  return { id, uuid, path: `/sites/${id}` };
}

const start = (site: Crawled, body: object = {}) =>
  workspace.asAdmin('POST', `${site.path}/crawl`, { url: `${website.site}/`, ...body });
const get = async (site: Crawled) => (await workspace.asAdmin('GET', site.path)).body;

async function ended(site: Crawled) {
  await waitFor('the crawl ends', async () => !(await get(site)).crawl, 60_000);
  return get(site);
}

async function crawled(site: Crawled, body: object = {}) {
  const started = await start(site, body);
  expect(started.status).toBe(202);
  return ended(site);
}

/** What became of each address, by its path. */
async function outcomes(site: Crawled): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for (let page = 1; ; page += 1) {
    const { items, totalPages } = (
      await workspace.asAdmin('GET', `${site.path}/crawl/urls`, undefined, {
        page: String(page),
        pageSize: '100',
      })
    ).body;
    for (const { url, outcome, state } of items)
      found.push([url.replace(website.site, ''), outcome ?? state]);
    if (page >= totalPages) return Object.fromEntries(found);
  }
}

async function pagesOf(site: Crawled) {
  const { items } = (await workspace.asAdmin('GET', `${site.path}/pages`, undefined, { pageSize: '100' }))
    .body;
  return Object.fromEntries(items.map((page: { slug: string }) => [page.slug, page]));
}

const pageAt = async (site: Crawled, slug: string) => {
  const { id } = (await pagesOf(site))[slug];
  return (await workspace.asAdmin('GET', `${site.path}/pages/${id}`)).body;
};

describe('a site with loops, traps and a redirect to a private address', () => {
  let site: Crawled;
  let found: Record<string, string>;
  let asked: Awaited<ReturnType<SimulatedWebsite['requests']>>;

  beforeAll(async () => {
    await website.resetKnobs();
    await website.forgetRequests();
    site = await newSite();
    await crawled(site, { limit: 60, excludedTags: ['ASIDE', 'aside'] });
    found = await outcomes(site);
    asked = await website.requests();
  });

  it('is read to its end, into drafts that nobody has edited', async () => {
    const {
      crawl,
      crawlUrl,
      crawlLimit,
      crawlExcludedTags,
      crawlError,
      crawlFailedAt,
      crawlPrevious,
      ...after
    } = await get(site);
    expect({ crawl, crawlLimit, crawlExcludedTags, crawlError, crawlFailedAt, crawlPrevious }).toEqual({
      crawl: false,
      crawlLimit: 60,
      crawlExcludedTags: ['aside'],
      crawlError: null,
      crawlFailedAt: null,
      crawlPrevious: null,
    });
    expect(crawlUrl).toBe(`${website.site}/`);
    expect(after.crawlCompletedAt > after.crawlStartedAt).toBe(true);
    const read = Object.values(found).filter((outcome) => outcome === 'created').length;
    expect([after.crawlCompleted, after.pageCount]).toEqual([read, read]);
    const pages = await pagesOf(site);
    expect(Object.values(pages).every((page) => (page as { status: string }).status === 'draft')).toBe(true);
    expect(Object.keys(pages)).toEqual(
      expect.arrayContaining([
        'welcome',
        'about',
        'hours',
        'team',
        'team-dr-grey',
        'blog-first-steps',
        'news',
      ]),
    );
  });

  it('becomes documents, with what the page says of itself', async () => {
    const hours = await pageAt(site, 'hours');
    expect(hours).toMatchObject({
      title: 'Opening hours',
      metaDescription: 'Opening hours of the clinic',
      locale: 'en-US',
      contentMarkdown: '# Opening hours\n\n| Day | Open |\n| --- | --- |\n| Monday | 9–5 |',
      sourceUrl: `${website.site}/hours.html`,
      sourceMetadata: { title: 'Opening hours', description: 'Opening hours of the clinic', language: 'en' },
    });
    expect(hours.sourceMarkdown).toBe(hours.contentMarkdown);
    expect(hours.sourceHtml).toContain('<td>Monday</td>');
    expect(hours.sourceHtml).not.toContain('script');
    expect(hours.crawledAt).not.toBeNull();
    expect((await pageAt(site, 'blog-first-steps')).contentMarkdown).toBe(
      `# First steps\n\nCall us.\n\n[Red](${website.site}/filter?color=red&size=1)`,
    );
  });

  it('is asked for nothing that its robots.txt forbids, and at no other host', async () => {
    expect(found['/private/a']).toBe('disallowed');
    expect(found['/away']).toBe('redirect_elsewhere');
    const { requests, maxAtOnce } = asked;
    expect(requests.map(({ path }) => path)).not.toContain('/private/a');
    expect(requests[0]?.path).toBe('/robots.txt');
    expect(maxAtOnce).toBe(1);
    expect(new Set(requests.map(({ userAgent }) => userAgent))).toEqual(
      new Set(['workspace-engagement-service (crawler)']),
    );
  });

  it('is asked for each address once, and its traps have an end', async () => {
    const paths = asked.requests.map(({ path }) => path);
    expect(paths.length).toBe(new Set(paths).size);
    const count = (pattern: RegExp) => paths.filter((path) => pattern.test(path)).length;
    // Months are alike, so that the second one leads no further.
    expect(count(/^\/calendar/)).toBe(2);
    expect(count(/^\/filter/)).toBeGreaterThan(10);
    expect(count(/^\/filter/)).toBeLessThanOrEqual(20);
    expect(count(/^\/loop\/deeper/)).toBeLessThanOrEqual(2);
    expect(count(/^\/spin/)).toBeLessThanOrEqual(6);
  });

  it('says of each address what became of it', () => {
    expect(found).toMatchObject({
      '/sitemap.xml': 'sitemap',
      '/sitemap-pages.xml.gz': 'sitemap',
      '/': 'created',
      '/old': 'redirect',
      '/gone': 'not_found',
      '/print/about': 'canonical_elsewhere',
      '/calendar?month=1': 'created',
      '/calendar?month=2': 'duplicate',
      '/brochure': 'not_html',
      '/large': 'too_large',
    });
  });

  it('has a run that operators can read, with few actions and ids only', async () => {
    const run = system.run('crawlSite', site.uuid);
    const read = (await get(site)).crawlCompleted;
    expect(await run.result()).toEqual({ outcome: 'completed', read });
    const { events } = await run.fetchHistory();
    expect(
      events?.filter(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled).length,
    ).toBeLessThan(4);
    expect(JSON.stringify(events)).not.toMatch(/Welcome|127\.0\.0\.1:|hours/);
  });
});

describe('a crawl of a site that was crawled before', () => {
  it('asks for what has changed, keeps what people have written, and marks what is gone', async () => {
    const site = await newSite();
    const write = (name: string, text: string) =>
      website.setPage(`/again/${name}`, {
        body: `<title>The ${name} page</title><main><p>${text}</p></main>`,
      });
    for (const name of ['changed', 'edited', 'same', 'vanishing', 'deleted']) {
      await write(name, `First version, ${name}`);
    }
    const links = ['changed', 'edited', 'same', 'vanishing', 'deleted'].map(
      (name) => `<a href="/again/${name}">${name}</a>`,
    );
    await website.setPage('/again/', { body: `<title>Again</title><main>${links.join(' ')}</main>` });
    const begin = { url: `${website.site}/again/`, limit: 6 };
    await website.setKnobs({ answer: 'busy', status: 404, paths: ['/sitemap.xml'] });
    expect(await crawled(site, begin)).toMatchObject({ crawlCompleted: 6, crawlPrevious: null });

    const edited = await pageAt(site, 'again-edited');
    await workspace.asAdmin('PUT', `${site.path}/pages/${edited.id}`, { title: 'Ours now' });
    const deleted = (await pagesOf(site))['again-deleted'];
    await workspace.asAdmin('DELETE', `${site.path}/pages/${deleted.id}`);
    const changed = (await pagesOf(site))['again-changed'];
    await workspace.asAdmin('POST', `${site.path}/pages/${changed.id}/publish`, {});
    await write('changed', 'Second version');
    await write('edited', 'Second version, edited');
    await website.setPage('/again/vanishing', null);
    await website.setPage('/again/', { body: `<title>Again</title><main>New: ${links.join(' ')}</main>` });
    await website.forgetRequests();

    const second = await crawled(site, begin);
    expect(second).toMatchObject({ crawlPrevious: 6, crawlError: null, pageCount: 5 });
    expect(await outcomes(site)).toMatchObject({
      '/again/': 'updated',
      '/again/changed': 'updated',
      '/again/edited': 'kept',
      '/again/same': 'unchanged',
      '/again/vanishing': 'gone',
      '/again/deleted': 'deleted',
    });
    const { requests } = await website.requests();
    expect(requests.find(({ path }) => path === '/again/same')?.status).toBe(304);
    expect(await pageAt(site, 'again-edited')).toMatchObject({
      title: 'Ours now',
      sourceMarkdown: expect.stringContaining('Second version, edited'),
      contentMarkdown: expect.stringContaining('First version, edited'),
    });
    expect(await pageAt(site, 'again-changed')).toMatchObject({
      status: 'published',
      hasUnpublishedChanges: true,
      contentMarkdown: expect.stringContaining('Second version'),
    });
    expect((await pageAt(site, 'again-vanishing')).sourceMetadata.missingSince).toEqual(expect.any(String));
    expect((await pagesOf(site))['again-deleted']).toBeUndefined();

    await write('vanishing', 'Back again');
    await crawled(site, begin);
    expect((await pageAt(site, 'again-vanishing')).sourceMetadata.missingSince).toBeUndefined();
  });
});

describe('a crawl beside others', () => {
  it('asks the host in turn with a crawl of another workspace, so that it gets one request at a time', async () => {
    const other = await createWorkspace(workspace.database);
    const foreign = await addSite(other, { isPublic: false });
    const asOther = (method: string, path: string, body?: object) =>
      system.api.request(method, other.path(path), {
        apiKey: other.admin.apiKey,
        ...(body === undefined ? {} : { body }),
      });
    const site = await newSite();
    await website.setKnobs({ latencyMs: 30 });
    await start(site, { limit: 6 });
    await asOther('POST', `/sites/${foreign.id}/crawl`, { url: `${website.site}/`, limit: 6 });
    expect(await ended(site)).toMatchObject({ crawlCompleted: 6, crawlError: null });
    const endOfOther = async () => (await asOther('GET', `/sites/${foreign.id}`)).body;
    await waitFor('the other one ends', async () => !(await endOfOther()).crawl, 60_000);
    expect(await endOfOther()).toMatchObject({ crawlCompleted: 6, crawlError: null });
    const { requests, maxAtOnce } = await website.requests();
    expect(maxAtOnce).toBe(1);
    expect(requests.filter(({ path }) => path === '/about')).toHaveLength(2);
  });

  it('keeps what a person writes into a page that it is about to read', async () => {
    const site = await newSite();
    const begin = { url: `${website.site}/meanwhile/`, limit: 2 };
    await website.setPage('/meanwhile/', {
      body: '<title>Meanwhile</title><main><a href="page">Page</a></main>',
    });
    await website.setHtml('/meanwhile/page', 'A page', '<p>First version</p>');
    await website.setKnobs({ answer: 'busy', status: 404, paths: ['/sitemap.xml'] });
    await crawled(site, begin);
    const page = await pageAt(site, 'meanwhile-page');
    await website.setHtml('/meanwhile/page', 'A page', '<p>Another text at the source</p>');
    await website.setKnobs({ latencyMs: 300 });
    await start(site, begin);
    const edited = await workspace.asAdmin('PUT', `${site.path}/pages/${page.id}`, { title: 'Ours' });
    expect(edited.status).toBe(200);
    expect((await outcomes(site))['/meanwhile/page'] ?? 'queued').toBe('queued');
    expect(await ended(site)).toMatchObject({ crawlError: null, crawlCompleted: 2 });
    expect((await outcomes(site))['/meanwhile/page']).toBe('kept');
    expect(await pageAt(site, 'meanwhile-page')).toMatchObject({
      title: 'Ours',
      contentMarkdown: page.contentMarkdown,
      sourceMarkdown: expect.stringContaining('Another text at the source'),
    });
  });
});

describe('a site that fails', () => {
  it('dies in the middle and comes back: the crawl goes on where it was', async () => {
    const site = await newSite();
    await website.setKnobs({ answer: 'cut', after: 5, count: 3 });
    expect(await crawled(site, { limit: 10 })).toMatchObject({ crawlCompleted: 10, crawlError: null });
    const { requests } = await website.requests();
    const served = requests.filter(({ status }) => status !== 0).map(({ path }) => path);
    expect(served.length).toBe(new Set(served).size);
    expect(requests.filter(({ status }) => status === 0)).toHaveLength(3);
  });

  it('dies in the middle of a page, which is read again', async () => {
    const site = await newSite();
    await website.setKnobs({ answer: 'half', count: 1, paths: ['/about'] });
    expect(await crawled(site, { limit: 8 })).toMatchObject({ crawlError: null });
    expect((await pageAt(site, 'about')).contentMarkdown).toContain('Since 1921');
  });

  it('dies for good: the crawl ends, says why, and keeps what it has read', async () => {
    const site = await newSite();
    await website.setKnobs({ answer: 'cut', after: 6 });
    const end = await crawled(site, { limit: 50 });
    expect(end).toMatchObject({ crawl: false, crawlError: 'source_unavailable', crawlCompletedAt: null });
    expect(end.crawlFailedAt).not.toBeNull();
    expect(end.crawlCompleted).toBeGreaterThan(0);
    expect(end.pageCount).toBe(end.crawlCompleted);
    expect(Object.values(await outcomes(site))).toContain('not_read');
  });

  it('is busy: the crawl comes back when it says', async () => {
    const site = await newSite();
    await website.setKnobs({ answer: 'busy', status: 429, retryAfter: '2', after: 3, count: 1 });
    expect(await crawled(site, { limit: 5 })).toMatchObject({ crawlCompleted: 5, crawlError: null });
    const { requests } = await website.requests();
    const at = requests.findIndex(({ status }) => status === 429);
    expect((requests[at + 1]?.at ?? 0) - (requests[at]?.at ?? 0)).toBeGreaterThanOrEqual(1_900);
  });

  it('has no robots.txt to be had: nothing is read', async () => {
    const site = await newSite();
    await website.setKnobs({ answer: 'busy', status: 500, paths: ['/robots.txt'] });
    expect(await crawled(site)).toMatchObject({ crawlError: 'robots_unavailable', crawlCompleted: 0 });
    const { requests } = await website.requests();
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(['/robots.txt']));
  });

  it('has nothing to read: the crawl says so', async () => {
    const site = await newSite();
    await website.setKnobs({ answer: 'busy', status: 403 });
    expect(await crawled(site)).toMatchObject({ crawlError: 'nothing_read', crawlCompleted: 0 });
    expect(await outcomes(site)).toMatchObject({ '/': 'refused' });
  });
});

describe('a crawl whose worker dies', () => {
  it('goes on page by page, and asks for nothing twice that is stored', async () => {
    const site = await newSite();
    await website.setKnobs({ latencyMs: 50 });
    await start(site, { limit: 20 });
    for (const pages of [4, 9]) {
      await waitFor(`${pages} pages are read`, async () => (await get(site)).crawlCompleted >= pages);
      await system.stopWorker();
      await system.startWorker();
    }
    expect(await ended(site)).toMatchObject({ crawlCompleted: 20, crawlError: null });
    const { requests } = await website.requests();
    const twice = requests.length - new Set(requests.map(({ path }) => path)).size;
    // The request that was under way when the worker stopped is made again.
    expect(twice).toBeLessThanOrEqual(2);
    expect((await get(site)).pageCount).toBe(20);
  });
});

describe('a crawl that ends otherwise', () => {
  it('is cancelled between two pages, and can be started again', async () => {
    const site = await newSite();
    await website.setKnobs({ latencyMs: 100 });
    await start(site, { limit: 50 });
    await waitFor('a page is read', async () => (await get(site)).crawlCompleted > 0);
    expect((await start(site)).body.code).toBe('crawl_under_way');
    const cancelled = await workspace.asAdmin('POST', `${site.path}/crawl/cancel`);
    expect(cancelled.body).toMatchObject({ crawl: false, crawlError: 'cancelled' });
    expect(await system.run('crawlSite', site.uuid).result()).toMatchObject({ outcome: 'cancelled' });
    const { pageCount } = await get(site);
    await website.resetKnobs();
    expect(await crawled(site, { limit: 5 })).toMatchObject({
      crawlError: null,
      crawlPrevious: cancelled.body.crawlCompleted,
    });
    expect((await get(site)).pageCount).toBeGreaterThanOrEqual(pageCount);
  });

  it('is cancelled by an operator, in Temporal', async () => {
    const site = await newSite();
    await website.setKnobs({ latencyMs: 200 });
    await start(site);
    await waitFor('a page is read', async () => (await get(site)).crawlCompleted > 0);
    await system.run('crawlSite', site.uuid).cancel();
    expect(await ended(site)).toMatchObject({ crawlError: 'cancelled' });
  });

  it('ends with its site', async () => {
    const site = await newSite();
    await website.setKnobs({ latencyMs: 100 });
    await start(site);
    await waitFor('a page is read', async () => (await get(site)).crawlCompleted > 0);
    await workspace.asAdmin('DELETE', site.path);
    expect(await system.run('crawlSite', site.uuid).result()).toMatchObject({ outcome: 'gone' });
  });
});
