import { beforeEach, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { addPublishedPage } from '../../../support/sites/add-published-page.js';
import { addSite } from '../../../support/sites/add-site.js';
import { askSite } from '../../../support/sites/ask-site.js';
import { crawlFrom, type Source } from '../../../support/sites/crawl-from.js';
import { mapDomain } from '../../../support/sites/map-domain.js';
import { randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, asAdmin } = useApi();
const clock = new MovedClock();
let site: SiteRow;
let origin: string;

const page = (title: string, main: string, head = '') => `<title>${title}</title>${head}<main>${main}</main>`;
const source = (): Source => ({
  '/': page(
    'Welcome',
    `<p><a href="/about">About</a> <a href="/hours?utm_source=home#monday">Hours</a> <a href="/old">Old</a>
      <a href="/print">Print</a> <a href="/copy">Copy</a> <a href="/team">Team</a> <a href="/missing">Missing</a>
      <a href="/find?a=1&amp;b=2">Find</a> <a href="https://elsewhere.example/about">Elsewhere</a></p>`,
  ),
  '/about': page('About', '<p>About us <a href="/">Home</a></p>'),
  '/hours': page('Hours', '<p>Nine to five</p>'),
  '/old': { redirect: '/older' },
  '/older': { redirect: '/about' },
  '/print': page('Hours, printed', '<p>Nine to five, on paper</p>', '<link rel="canonical" href="/hours">'),
  '/copy': page('Hours', '<p>Nine to five</p>'),
  '/team': page('Team', '<p>Dr. Grey</p>'),
  '/find?a=1&b=2': page('Find', '<p>Found</p>'),
});

beforeEach(async () => {
  site = await addSite(workspace);
  origin = `https://www.${randomTag().toLowerCase()}.example`;
});

const crawl = (of: Source = source()) => crawlFrom(workspace.context(undefined, clock), site, origin, of);
async function idOf(slug: string): Promise<number> {
  const { items } = (await asAdmin('GET', `/sites/${site.id}/pages`, undefined, { pageSize: '100' })).body;
  return items.find((one: { slug: string }) => one.slug === slug).id;
}
async function publish(...slugs: string[]): Promise<void> {
  for (const slug of slugs)
    expect((await asAdmin('POST', `/sites/${site.id}/pages/${await idOf(slug)}/publish`, {})).status).toBe(
      200,
    );
}
/** The links of a page, by their words. */
async function linksOf(slug: string, query = ''): Promise<Record<string, string>> {
  const { text } = await askSite(api.baseUrl, `/s/${site.uuid}/${slug}${query}`);
  const content = text.slice(text.indexOf('<main'));
  return Object.fromEntries(
    [...content.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href, words]) => [words, href]),
  );
}

describe('the links of crawled pages', () => {
  it('lead to the pages that were made of the source, once these are published, and to the source until then', async () => {
    expect(await crawl()).toBe('completed');
    await publish('welcome');
    const before = await linksOf('welcome');
    expect(before).toMatchObject({ About: `${origin}/about`, Team: `${origin}/team` });

    await publish('about', 'hours', 'find');
    const at = `/s/${site.uuid}`;
    expect(await linksOf('welcome')).toEqual({
      About: `${at}/about`,
      Hours: `${at}/hours#monday`,
      Old: `${at}/about`,
      Print: `${at}/hours`,
      Copy: `${at}/hours`,
      Team: `${origin}/team`,
      Missing: `${origin}/missing`,
      Find: `${at}/find`,
      Elsewhere: 'https://elsewhere.example/about',
    });
    expect((await linksOf('welcome', '?locale=de-DE')).About).toBe(`${at}/about?locale=de-DE`);
    expect((await linksOf('about')).Home).toBe(`${at}/welcome`);

    await asAdmin('POST', `/sites/${site.id}/pages/${await idOf('about')}/unpublish`);
    expect((await linksOf('welcome')).About).toBe(`${origin}/about`);
    await asAdmin('DELETE', `/sites/${site.id}/pages/${await idOf('hours')}`);
    expect((await linksOf('welcome')).Hours).toBe(`${origin}/hours?utm_source=home#monday`);
  });

  it('lead to the home page by the address of the site, and at a domain to the domain', async () => {
    await crawl();
    await publish('welcome', 'about');
    await asAdmin('PUT', `/sites/${site.id}`, { homePageId: await idOf('welcome') });
    expect((await linksOf('about')).Home).toBe(`/s/${site.uuid}`);
    const domain = `d${randomTag().toLowerCase()}.example`;
    await mapDomain(workspace, site.id, {}, domain);
    const { text } = await askSite(api.baseUrl, '/about', { headers: { host: domain } });
    expect(text).toContain('<a href="/">Home</a>');
  });

  it('lead where they did while the source is crawled again, and after a redirect is gone to the source', async () => {
    await crawl();
    await publish('welcome', 'about');
    await crawl();
    expect((await linksOf('welcome')).Old).toBe(`/s/${site.uuid}/about`);
    const { '/old': _, '/older': __, ...without } = source();
    await crawl({ ...without, '/about': page('About', '<p>About us, anew <a href="/">Home</a></p>') });
    await publish('about');
    expect((await linksOf('welcome')).Old).toBe(`${origin}/old`);
  });

  it('are those of crawled pages alone: what an editor links to stays', async () => {
    await crawl();
    await publish('about');
    const text = {
      type: 'text',
      text: 'About',
      marks: [{ type: 'link', attrs: { href: `${origin}/about` } }],
    };
    await addPublishedPage(asAdmin, site.id, {
      slug: 'ours',
      contentBlocks: { type: 'doc', content: [{ type: 'paragraph', content: [text] }] },
    });
    expect((await linksOf('ours')).About).toBe(`${origin}/about`);
  });

  it('do not lead into another site of the workspace, which was read from the same source', async () => {
    await crawl();
    await publish('welcome', 'about');
    const first = site;
    site = await addSite(workspace);
    await crawl();
    await publish('welcome');
    expect((await linksOf('welcome')).About).toBe(`${origin}/about`);
    expect(first.id).not.toBe(site.id);
  });

  it('of redirects that go round lead to the source', async () => {
    await crawl({
      '/': page('Welcome', '<p><a href="/a">Round</a></p>'),
      '/a': { redirect: '/b' },
      '/b': { redirect: '/a' },
    });
    await publish('welcome');
    expect((await linksOf('welcome')).Round).toBe(`${origin}/a`);
  });
});
