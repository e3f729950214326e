import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { addPublishedPage } from '../../../support/sites/add-published-page.js';
import { addSite, oneParagraph } from '../../../support/sites/add-site.js';
import { askSite, type SiteAsking } from '../../../support/sites/ask-site.js';
import { mapDomain } from '../../../support/sites/map-domain.js';
import { addChatSite } from '../../../support/sites/site-chat.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();

let site: SiteRow;
let home: { id: number; slug: string };
let hours: { id: number; slug: string };
beforeAll(async () => {
  site = await addSite(workspace, { name: 'North clinic', tagLine: 'For all', metaDescription: 'A clinic.' });
  home = await addPublishedPage(
    asAdmin,
    site.id,
    { title: 'Welcome', slug: 'home' },
    { 'de-DE': 'Willkommen' },
  );
  hours = await addPublishedPage(asAdmin, site.id, {
    title: 'Opening hours',
    slug: 'hours',
    metaDescription: 'When we are there',
  });
  await change({ homePageId: home.id });
});

async function change(values: object, of = site) {
  expect((await asAdmin('PUT', `/sites/${of.id}`, values)).status).toBe(200);
}
const ask = (path: string, asking: SiteAsking = {}, of: { uuid: string } = site) =>
  askSite(api.baseUrl, `/s/${of.uuid}${path}`, asking);
const again = async (path: string, tag: string | undefined, of: { uuid: string } = site) =>
  (await ask(path, { headers: { 'If-None-Match': tag ?? '' } }, of)).status;
const policyOf = (headers: Record<string, string | undefined>) => headers['content-security-policy'] ?? '';

describe('a page of a site in a browser', () => {
  it('has what was published, in the look of the site, with all that search engines ask for', async () => {
    const { status, headers, text } = await ask('/hours');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'content-language': 'en-US',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
    expect(headers['set-cookie']).toBeUndefined();
    for (const part of [
      '<html lang="en-US" dir="ltr">',
      '<title>Opening hours – North clinic</title>',
      '<meta name="description" content="When we are there">',
      `<link rel="canonical" href="${api.baseUrl}/s/${site.uuid}/hours">`,
      '<meta property="og:title" content="Opening hours">',
      '<h1>Opening hours</h1>\n<p>Monday to Friday.</p>',
      '<a class="skip" href="#content">Skip to the content</a>',
      '<p class="tag-line">For all</p>',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('hreflang');
    expect(text).not.toContain('<script');
  });

  it('may load its style sheet and pictures, and run nothing', async () => {
    const { headers, text } = await ask('/hours');
    expect(policyOf(headers)).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const [, styles] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    const sheet = await askSite(api.baseUrl, styles ?? '');
    expect(sheet).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
    expect(sheet.text).toContain('--background:#ffffff');
  });

  it('is the home page at the address of the site, and says so to search engines wherever it is', async () => {
    const canonical = `<link rel="canonical" href="${api.baseUrl}/s/${site.uuid}">`;
    for (const path of ['', '/', '/home']) {
      expect(await ask(path)).toMatchObject({ status: 200, text: expect.stringContaining(canonical) });
    }
  });

  it('is shown in the locale that was asked for, else in the primary one', async () => {
    const german = await ask('?locale=de-de');
    expect(german.headers['content-language']).toBe('de-DE');
    expect(german.text).toContain('<html lang="de-DE" dir="ltr">');
    expect(german.text).toContain('<h1>Willkommen</h1>');
    expect(german.text).toContain('Zum Inhalt springen');
    const base = `${api.baseUrl}/s/${site.uuid}`;
    for (const part of [
      `<link rel="canonical" href="${base}?locale=de-DE">`,
      `<link rel="alternate" hreflang="en-US" href="${base}">`,
      `<link rel="alternate" hreflang="x-default" href="${base}">`,
      `<a href="/s/${site.uuid}" hreflang="en-US" lang="en-US">American English</a>`,
      `<a href="/s/${site.uuid}?locale=de-DE" hreflang="de-DE" lang="de-DE" aria-current="true">Deutsch (Deutschland)</a>`,
    ]) {
      expect(german.text).toContain(part);
    }
    const english = (await ask('')).text;
    for (const locale of ['fr-FR', 'nonsense', '%00', 'x'.repeat(3_000)]) {
      expect((await ask(`?locale=${locale}`)).text).toBe(english);
    }
    // The page has no German: its own words stay, links keep the wish.
    const hoursInGerman = await ask('/hours?locale=de-DE');
    expect(hoursInGerman.text).toContain('<h1>Opening hours</h1>');
    expect(hoursInGerman.text).toContain(`<a href="/s/${site.uuid}?locale=de-DE">North clinic</a>`);
  });

  it('leads from an id, an earlier slug and a slash at the end to the slug of today', async () => {
    const moved = await addPublishedPage(asAdmin, site.id, { slug: 'old-name' });
    await asAdmin('PUT', `/sites/${site.id}/pages/${moved.id}`, { slug: 'new-name' });
    const to = `/s/${site.uuid}/new-name`;
    expect(await ask('/old-name')).toMatchObject({ status: 301, headers: { location: to } });
    expect(await ask('/old-name?locale=de-DE')).toMatchObject({
      status: 301,
      headers: { location: `${to}?locale=de-DE`, 'cache-control': 'no-store' },
    });
    expect(await ask(`/${moved.id}`)).toMatchObject({ status: 301, headers: { location: to } });
    expect(await ask('/new-name/')).toMatchObject({ status: 301, headers: { location: to } });
  });

  it('has a variant in AMP at a domain of its own, which names the page itself', async () => {
    const own = await addSite(workspace);
    await addPublishedPage(asAdmin, own.id, { slug: 'hours' }, { 'de-DE': 'Willkommen' });
    const host = await mapDomain(workspace, own.id);
    const there = (path: string) => askSite(api.baseUrl, path, { headers: { host } });
    const { text } = await there('/hours');
    const address = `https://${host}/hours`;
    expect(text).toContain(`<link rel="amphtml" href="${address}?amp=1">`);
    const amp = await there('/hours?amp=1');
    expect(amp.status).toBe(200);
    expect(amp.text).toContain('<html amp lang="en-US" dir="ltr">');
    expect(amp.text).toContain(`<link rel="canonical" href="${address}">`);
    expect(amp.text).toContain('<p>Monday to Friday.</p>');
    expect(policyOf(amp.headers)).toContain('script-src blob: https://cdn.ampproject.org;');
    expect((await there('/hours?amp=1&locale=de-DE')).text).toContain('<h1>Willkommen</h1>');
  });

  it('answers HEAD as GET without the body, and takes no ranges', async () => {
    const { headers } = await ask('/hours');
    const head = await ask('/hours', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect([head.headers.etag, head.headers['content-length']]).toEqual([
      headers.etag,
      headers['content-length'],
    ]);
    const ranged = await ask('/hours', { headers: { Range: 'bytes=0-9' } });
    expect(ranged.status).toBe(200);
    expect(ranged.headers['accept-ranges']).toBeUndefined();
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s', async (method) => {
    expect(await ask('/hours', { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

describe('what is not there', () => {
  it.each([
    '/nothing',
    '/99999999',
    '/%zz',
    '/%2e%2e%2fapi',
    '/../../etc/passwd',
    '/hours/more',
    '/assets/other.css',
    `/${'x'.repeat(5_000)}`,
    '/<script>alert(1)</script>',
  ])('is a 404 in the look of the site: %s', async (path) => {
    const { status, headers, text } = await ask(path);
    expect(status).toBe(404);
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toContain('alert');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
  });

  it('speaks the language that was asked for', async () => {
    expect((await ask('/nothing?locale=de-DE')).text).toContain('<h1>Seite nicht gefunden</h1>');
  });

  it('is gone when it was published once, and never was there when it was a draft', async () => {
    const page = await addPublishedPage(asAdmin, site.id);
    await asAdmin('POST', `/sites/${site.id}/pages/${page.id}/unpublish`);
    expect(await ask(`/${page.slug}`)).toMatchObject({
      status: 410,
      text: expect.stringContaining('Page withdrawn'),
    });
    const { body } = await asAdmin('POST', `/sites/${site.id}/pages`, {
      title: 'Secret plan',
      slug: 'secret-plan',
    });
    expect((await ask('/secret-plan')).status).toBe(404);
    expect((await ask(`/${body.id}`)).status).toBe(404);
  });

  it.each([
    'not-a-uuid',
    '00000000-0000-4000-8000-000000000000',
    'www.nobody.example',
    '%00',
    'x'.repeat(300),
  ])('is a 404 in the look of the service where there is no site: %s', async (name) => {
    const headers = { Accept: 'text/html', 'Accept-Language': 'de' };
    const { status, text } = await askSite(api.baseUrl, `/s/${name}/home`, { headers });
    expect(status).toBe(404);
    expect(text).toContain('<h1>Seite nicht gefunden</h1>');
    expect(text).toContain('<link rel="stylesheet" href="/pages/styles.css">');
    expect(text).toContain('href="/home"');
  });

  it('has no page of another tenant, nor of another site', async () => {
    const theirs = await addSite(otherWorkspace);
    const asTheirAdmin = callAs(api, otherWorkspace, otherWorkspace.admin);
    const page = await addPublishedPage(asTheirAdmin, theirs.id, { slug: 'their-page' });
    expect((await ask('/their-page', {}, theirs)).status).toBe(200);
    expect((await ask('/their-page')).status).toBe(404);
    expect((await ask(`/${page.id}`)).status).toBe(404);
    const second = await addSite(workspace);
    expect((await ask('/hours', {}, second)).status).toBe(404);
    expect((await ask(`/${hours.id}`, {}, second)).status).toBe(404);
  });
});

describe('an ETag', () => {
  it('makes the answer 304, as long as nothing has changed', async () => {
    const { headers } = await ask('/hours');
    const known = await ask('/hours', { headers: { 'If-None-Match': `"other", W/${headers.etag}` } });
    expect(known).toMatchObject({ status: 304, text: '' });
    expect(known.headers.etag).toBe(headers.etag);
    expect(policyOf(known.headers)).toBe(policyOf(headers));
    expect((await ask('/hours', { method: 'HEAD', headers: { 'If-None-Match': '*' } })).status).toBe(304);
  });

  it('differs after each change that visitors see, at once', async () => {
    const own = await addSite(workspace);
    const page = await addPublishedPage(asAdmin, own.id, { slug: 'start', title: 'One' });
    const second = await addPublishedPage(asAdmin, own.id, { slug: 'second' });
    const path = `/sites/${own.id}`;
    const pagePath = `${path}/pages/${page.id}`;
    let item: { id: number } | undefined;
    const changes: [string, () => Promise<{ status: number }>][] = [
      ['name', () => asAdmin('PUT', path, { name: 'Another name' })],
      ['theme', () => asAdmin('PUT', path, { theme: 'source-site' })],
      ['theme settings', () => asAdmin('PUT', path, { themeSettings: { baseSize: 20 } })],
      ['home page', () => asAdmin('PUT', path, { homePageId: page.id })],
      [
        'a menu item',
        async () => {
          const made = await asAdmin('POST', `${path}/menu/items`, {
            label: 'Second',
            itemType: 'page',
            pageId: second.id,
          });
          item = made.body;
          return made;
        },
      ],
      ['its label', () => asAdmin('PUT', `${path}/menu/items/${item?.id}`, { label: 'The second' })],
      ['another page withdrawn', () => asAdmin('POST', `${path}/pages/${second.id}/unpublish`)],
      ['it published again', () => asAdmin('POST', `${path}/pages/${second.id}/publish`)],
      ['its slug', () => asAdmin('PUT', `${path}/pages/${second.id}`, { slug: 'the-second' })],
      ['the other page deleted', () => asAdmin('DELETE', `${path}/pages/${second.id}`)],
      [
        'the page published again',
        async () => {
          await asAdmin('PUT', pagePath, { title: 'Two', contentBlocks: oneParagraph('New.') });
          return asAdmin('POST', `${pagePath}/publish`);
        },
      ],
    ];
    for (const [what, make] of changes) {
      const { headers } = await ask('/start', {}, own);
      expect([what, await again('/start', headers.etag, own)]).toEqual([what, 304]);
      const { status } = await make();
      expect(status).toBeLessThan(300);
      expect([what, await again('/start', headers.etag, own)]).toEqual([what, 200]);
    }
    expect((await ask('/start', {}, own)).text).toContain('<p>New.</p>');
  });

  it('stays while editors work on drafts', async () => {
    const { headers } = await ask('/hours');
    await asAdmin('PUT', `/sites/${site.id}/pages/${hours.id}`, { contentBlocks: oneParagraph('A draft.') });
    await asAdmin('POST', `/sites/${site.id}/pages`, { title: 'A new draft' });
    expect(await again('/hours', headers.etag)).toBe(304);
  });

  it('is of no use once the page is withdrawn or the site is closed', async () => {
    const own = await addSite(workspace);
    const page = await addPublishedPage(asAdmin, own.id);
    const { headers } = await ask(`/${page.slug}`, {}, own);
    await change({ isPublic: false }, own);
    expect(await again(`/${page.slug}`, headers.etag, own)).toBe(404);
    await change({ isPublic: true }, own);
    await asAdmin('POST', `/sites/${own.id}/pages/${page.id}/unpublish`);
    expect(await again(`/${page.slug}`, headers.etag, own)).toBe(410);
    await asAdmin('DELETE', `/sites/${own.id}`);
    expect(await again(`/${page.slug}`, headers.etag, own)).toBe(404);
  });
});

describe('the menu', () => {
  it('shows what visitors may see, in their language, as a tree', async () => {
    const own = await addSite(workspace);
    const shown = await addPublishedPage(asAdmin, own.id, { slug: 'shown' });
    const draft = (await asAdmin('POST', `/sites/${own.id}/pages`, { title: 'Draft' })).body;
    const add = async (values: object) =>
      (await asAdmin('POST', `/sites/${own.id}/menu/items`, { itemType: 'none', ...values })).body;
    const about = await add({
      label: 'About us',
      translations: { 'de-DE': 'Über uns' },
      cssClass: 'wide',
      icon: 'home',
    });
    await add({ label: 'Shown', itemType: 'page', pageId: shown.id, parentId: about.id });
    await add({ label: 'Hidden draft', itemType: 'page', pageId: draft.id });
    await add({ label: 'Inactive', isActive: false });
    await add({ label: 'Shop', itemType: 'products' });
    await add({
      label: 'Partner',
      itemType: 'url',
      url: 'https://partner.example/a?b=1&c=2',
      target: '_blank',
    });
    await add({ label: 'Deep', itemType: 'url', url: '/shown#top' });
    const { text } = await ask('/shown', {}, own);
    expect(text).toContain(
      [
        '<nav class="menu" aria-label="Menu"><ul>',
        '<li class="wide icon-home"><span>About us</span><ul>',
        `<li><a href="/s/${own.uuid}/shown" aria-current="page">Shown</a></li></ul></li>`,
        '<li><span>Shop</span></li>',
        '<li><a href="https://partner.example/a?b=1&amp;c=2" target="_blank" rel="noopener">Partner<span class="hidden"> (opens in a new window)</span></a></li>',
        `<li><a href="/s/${own.uuid}/shown#top">Deep</a></li>`,
        '</ul></nav>',
      ].join(''),
    );
    const german = (await ask('/shown?locale=de-DE', {}, own)).text;
    expect(german).toContain(`<a href="/s/${own.uuid}/shown?locale=de-DE" aria-current="page">`);
    await asAdmin('PUT', `/sites/${own.id}/pages/${shown.id}/documents/de-DE`, {
      title: 'Gezeigt',
      contentBlocks: oneParagraph('Hier.'),
    });
    await asAdmin('POST', `/sites/${own.id}/pages/${shown.id}/publish`);
    expect((await ask('/shown?locale=de-DE', {}, own)).text).toContain('<span>Über uns</span>');
  });
});

describe('a site without a home page', () => {
  it('shows its name and its text, as text', async () => {
    const own = await addSite(workspace, { name: 'A & B', content: 'First <b>line</b>\nSecond line' });
    const { status, text } = await ask('', {}, own);
    expect(status).toBe(200);
    expect(text).toContain('<title>A &amp; B</title>');
    expect(text).toContain(
      '<h1>A &amp; B</h1>\n<div class="plain">First &lt;b&gt;line&lt;/b&gt;\nSecond line</div>',
    );
  });
});

describe('a site that sends its visitors elsewhere', () => {
  it('does so from each page, and lists none', async () => {
    const own = await addSite(workspace, { redirectUrl: 'https://elsewhere.example/start' });
    await addPublishedPage(asAdmin, own.id, { slug: 'start' });
    const host = await mapDomain(workspace, own.id);
    for (const path of ['/', '/start', '/nothing']) {
      expect(await askSite(api.baseUrl, path, { headers: { host } })).toMatchObject({
        status: 302,
        headers: { location: 'https://elsewhere.example/start', 'cache-control': 'no-store' },
      });
    }
    expect((await ask('/sitemap.xml', {}, own)).status).toBe(404);
    expect((await ask('/feed', {}, own)).status).toBe(404);
  });

  it('names the address at the service, which leads nobody there by itself', async () => {
    const own = await addSite(workspace, { redirectUrl: 'https://elsewhere.example/?a="><script>' });
    for (const path of ['', '/start', '/nothing', '?preview=true']) {
      const { status, headers, text } = await ask(path, {}, own);
      expect([status, headers.location, headers.refresh]).toEqual([200, undefined, undefined]);
      expect(text).toContain('rel="noreferrer nofollow">Go on to elsewhere.example</a>');
      expect(text).not.toContain('<script>');
    }
  });
});

describe('scripts of others', () => {
  it('run at domains of sites, and never where the sessions of the service are', async () => {
    const own = await addSite(workspace, { googleAnalyticsId: 'G-ABC1234', googleAdwordsId: 'AW-12345' });
    const page = await addPublishedPage(asAdmin, own.id);
    const foreign = /googletagmanager|ampproject|google-analytics|doubleclick/;
    const atService = ['', `/${page.slug}`, `/${page.slug}?amp=1`, '/nothing'];
    const read = async (asking: () => Promise<{ headers: object; text: string }>) => {
      const { headers, text } = await asking();
      return JSON.stringify(headers) + text;
    };
    for (const path of atService) expect(await read(() => ask(path, {}, own))).not.toMatch(foreign);
    const host = await mapDomain(workspace, own.id);
    for (const path of atService) {
      const told = await read(() => ask(path, {}, own));
      expect(told).not.toMatch(foreign);
      expect(await read(() => askSite(api.baseUrl, path || '/', { headers: { host } }))).toMatch(foreign);
      expect(await read(() => askSite(api.baseUrl, `/s/${host}${path}`))).not.toMatch(foreign);
    }
  });
});

describe('the chat of a site', () => {
  it('is a script by nonce at the end of its pages, which may connect to the service, if the site offers one', async () => {
    const own = await addChatSite(api, workspace);
    const { headers, text } = await ask('', {}, own);
    const [, nonce = ''] = /script-src 'nonce-([\w-]+)';/.exec(policyOf(headers)) ?? [];
    expect(policyOf(headers)).toContain(`connect-src ${api.baseUrl};`);
    expect(text).toContain(
      `<script type="module" src="${api.baseUrl}/s/widget/chat.js" data-site="${own.uuid}" data-workspace="${workspace.workspaceUuid}" nonce="${nonce}"></script>\n</body>`,
    );
    expect(await again('', headers.etag, own)).toBe(304);
    expect((await asAdmin('PUT', `/sites/${own.id}`, { visitorChatsPerDay: 0 })).status).toBe(200);
    const without = await ask('', {}, own);
    expect(without.status).toBe(200);
    expect(without.text).not.toContain('<script');
  });
});

describe('links in contents', () => {
  it('lead to pages of the site, and to the service where they say so', async () => {
    const own = await addSite(workspace);
    const link = (href: string, text: string) => ({
      type: 'text',
      text,
      marks: [{ type: 'link', attrs: { href } }],
    });
    const contentBlocks = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [link('/about?x=1#y', 'one'), link('/api/v2/docs', 'two'), link('#z', 'three')],
        },
        { type: 'paragraph', content: [{ type: 'text', text: '<a href="/about">code</a>' }] },
        { type: 'image', attrs: { src: '/api/v2/s/a/b/files/1/contents/x.png', alt: 'x' } },
      ],
    };
    const page = await addPublishedPage(asAdmin, own.id, { contentBlocks });
    const { text } = await ask(`/${page.slug}`, {}, own);
    expect(text).toContain(`<a href="/s/${own.uuid}/about?x=1#y">one</a>`);
    expect(text).toContain('<a href="/api/v2/docs">two</a>');
    expect(text).toContain('<a href="#z">three</a>');
    expect(text).toContain('&lt;a href="/about"&gt;code');
    expect(text).toContain('src="/api/v2/s/a/b/files/1/contents/x.png"');
  });
});

describe('a visit', () => {
  it('costs one statement once the page is kept, also for a 304', async () => {
    const own = await addSite(workspace);
    const page = await addPublishedPage(asAdmin, own.id);
    const cold = await statementsOf(() => ask(`/${page.slug}`, {}, own));
    expect(cold).toHaveLength(5);
    for (const suffix of ['', '?amp=1', '?locale=de-DE']) {
      const { headers } = await ask(`/${page.slug}${suffix}`, {}, own);
      for (const tag of ['', headers.etag ?? '']) {
        const warm = await statementsOf(() =>
          ask(`/${page.slug}${suffix || '?'}&utm_source=mail`, { headers: { 'If-None-Match': tag } }, own),
        );
        expect(warm.length).toBeLessThanOrEqual(1);
        expect(warm[0]).toContain('identity.site_versions');
      }
    }
  });
});
