import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { PageVisitor } from '../../../support/api/page-visitor.js';
import { useApi } from '../../../support/api/use-api.js';
import { addPublishedPage } from '../../../support/sites/add-published-page.js';
import { addSite } from '../../../support/sites/add-site.js';
import { askSite, type SiteAsking } from '../../../support/sites/ask-site.js';
import { mapDomain, newDomain } from '../../../support/sites/map-domain.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();

let site: SiteRow;
let domain: string;
beforeAll(async () => {
  site = await addSite(workspace, { name: 'North clinic' });
  await addPublishedPage(asAdmin, site.id, { slug: 'hours', title: 'Opening hours' }, { 'de-DE': 'Zeiten' });
  domain = await mapDomain(workspace, site.id);
});

const at = (host: string, path: string, { headers, ...asking }: SiteAsking = {}) =>
  askSite(api.baseUrl, path, { ...asking, headers: { Host: host, ...headers } });
const atService = (path: string, of = site) => askSite(api.baseUrl, `/s/${of.uuid}${path}`);

describe('the domain of a site', () => {
  it('shows its pages at the root, with links and styles of its own', async () => {
    const { status, headers, text } = await at(domain, '/hours?locale=de-DE');
    expect(status).toBe(200);
    expect(text).toContain('<h1>Zeiten</h1>');
    expect(text).toContain(`<link rel="canonical" href="https://${domain}/hours?locale=de-DE">`);
    expect(text).toContain('<a href="/?locale=de-DE">North clinic</a>');
    expect(headers['strict-transport-security']).toBeUndefined();
    const [, styles = ''] = /<link rel="stylesheet" href="(\/assets\/[^"]+)">/.exec(text) ?? [];
    expect((await at(domain, styles)).status).toBe(200);
    const [, missing] = [await at(domain, styles), await at(domain, '/nothing')];
    expect(missing).toMatchObject({ status: 404, text: expect.stringContaining('Page not found') });
  });

  it.each([
    ['in capitals', (name: string) => name.toUpperCase()],
    ['with a port', (name: string) => `${name}:8443`],
    ['with a final dot', (name: string) => `${name}.`],
  ])('is the same %s', async (_, written) => {
    expect((await at(written(domain), '/hours')).status).toBe(200);
  });

  it('is found by its name in punycode', async () => {
    const own = await addSite(workspace, { content: 'Umlaut' });
    const plain = newDomain().replace('www.', '');
    await mapDomain(workspace, own.id, {}, `xn--mller-kva.${plain}`);
    expect((await at(`xn--mller-kva.${plain}`, '/')).text).toContain('Umlaut');
  });

  it.each([
    '/api/v2/docs',
    '/api/v2/health',
    '/api/v2/openapi.json',
    '/sign-in',
    '/settings',
    '/pages/styles.css',
    '/api/v2/oauth/.well-known/openid-configuration',
    '/api/v2/mcp',
    '/s/widget/chat.js',
  ])('serves nothing else of the service: %s', async (path) => {
    const { status, text } = await at(domain, path);
    expect(status).toBe(404);
    expect(text).toContain('Page not found');
    const { status: preflight } = await at(domain, path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://x.example', 'Access-Control-Request-Method': 'GET' },
    });
    expect(preflight).toBe(405);
  });

  it('does not lead to the site of another host, whatever else the caller says', async () => {
    const headers = { 'X-Forwarded-Host': new URL(api.baseUrl).host, Forwarded: 'host=127.0.0.1' };
    expect((await at(domain, '/api/v2/docs', { headers })).status).toBe(404);
    const spoofed = await askSite(api.baseUrl, '/hours', { headers: { 'X-Forwarded-Host': domain } });
    expect(spoofed.status).toBe(404);
  });

  it('also names the site below the address of the service, which tells search engines the domain', async () => {
    const canonical = `<link rel="canonical" href="https://${domain}/hours">`;
    for (const name of [site.uuid, site.uuid.toUpperCase(), domain]) {
      const { status, text } = await askSite(api.baseUrl, `/s/${name}/hours`);
      expect(status).toBe(200);
      expect(text).toContain(canonical);
      expect(text).toContain(`<a href="/s/${site.uuid}">North clinic</a>`);
    }
  });

  it('changes what search engines are told at once, when it comes and when it goes', async () => {
    const own = await addSite(workspace, { content: 'x' });
    const before = await atService('', own);
    const name = await mapDomain(workspace, own.id);
    const mapped = await atService('', own);
    expect(mapped.text).toContain(`<link rel="canonical" href="https://${name}">`);
    expect((await asAdmin('DELETE', `/sites/${own.id}/domain`)).status).toBe(204);
    expect((await atService('', own)).headers.etag).toBe(before.headers.etag);
    expect((await at(name, '/')).status).toBe(421);
  });
});

describe('a host that leads to no site', () => {
  it.each(['www.nobody.example', 'nobody.co.uk', 'a_b.example.com', 'www.exa mple.com', '-x.example.com'])(
    'is refused: %s',
    async (host) => {
      const { status, headers, text } = await at(host, '/');
      expect(status).toBe(421);
      expect(JSON.parse(text)).toMatchObject({ code: 'unknown_host' });
      expect(headers['set-cookie']).toBeUndefined();
      expect((await at(host, '/sign-in')).status).toBe(421);
    },
  );

  it('is one that is claimed and not proved, or has lapsed', async () => {
    const own = await addSite(workspace);
    const claimed = await mapDomain(workspace, own.id, { provedAt: null });
    expect((await at(claimed, '/')).status).toBe(421);
    expect((await askSite(api.baseUrl, `/s/${claimed}`)).status).toBe(404);
    const lapsed = await addSite(workspace);
    const gone = await mapDomain(workspace, lapsed.id, { provedAt: null, lapsedAt: new Date() });
    expect((await at(gone, '/')).status).toBe(421);
  });

  it('is that of the other claim, where two workspaces claim one domain', async () => {
    const mine = await addSite(workspace, { content: 'mine' });
    const theirs = await addSite(otherWorkspace, { content: 'theirs' });
    const name = await mapDomain(workspace, mine.id, { provedAt: null });
    await mapDomain(otherWorkspace, theirs.id, {}, name);
    const { text } = await at(name, '/');
    expect(text).toContain('theirs');
    expect(text).not.toContain('mine');
  });
});

describe('the host of the service', () => {
  it.each(['localhost', '10.1.2.3:3000', '[::1]', 'api', 'wes.internal', 'api.default.svc.cluster.local'])(
    'may be a name that can be no domain: %s',
    async (host) => {
      expect((await at(host, '/api/v2/openapi.json')).status).toBe(200);
    },
  );

  it('tells crawlers that sites alone are for them', async () => {
    expect((await askSite(api.baseUrl, '/robots.txt')).text).toBe('User-agent: *\nAllow: /s/\nDisallow: /\n');
  });
});

describe('a site that is not public', () => {
  it('is not there for visitors, and is shown to members at the service alone, where nothing keeps it', async () => {
    const closed = await addSite(workspace, { isPublic: false, content: 'For us' });
    const name = await mapDomain(workspace, closed.id);
    expect((await atService('', closed)).status).toBe(404);
    expect((await at(name, '/')).status).toBe(404);
    const account = await workspace.database.identity.accounts.findById(workspace.member.accountId);
    const member = new PageVisitor(api);
    await member.signIn(account?.email ?? '');
    const shown = await member.get(`/s/${closed.uuid}`);
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('For us') });
    expect(shown.headers.get('Cache-Control')).toBe('private, no-store');
    expect(shown.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(shown.headers.get('ETag')).toBeNull();
    const cookie = `__Host-wes_session=${member.cookie('__Host-wes_session')}`;
    expect((await at(name, '/', { headers: { Cookie: cookie } })).status).toBe(404);
    const theirs = await addSite(otherWorkspace, { isPublic: false });
    expect((await member.get(`/s/${theirs.uuid}`)).status).toBe(404);
    const guessed = { Cookie: `__Host-wes_session=${'x'.repeat(43)}` };
    expect((await askSite(api.baseUrl, `/s/${closed.uuid}`, { headers: guessed })).status).toBe(404);
    const key = { Authorization: `Bearer ${workspace.admin.apiKey}` };
    expect((await askSite(api.baseUrl, `/s/${closed.uuid}`, { headers: key })).status).toBe(404);
  });
});

describe('a draft', () => {
  it('is shown to editors at the service, as a preview that nothing keeps', async () => {
    const own = await addSite(workspace);
    const { body } = await asAdmin('POST', `/sites/${own.id}/pages`, {
      title: 'Next year',
      slug: 'next-year',
    });
    await asAdmin('PUT', `/sites/${own.id}`, { homePageId: body.id });
    const name = await mapDomain(workspace, own.id);
    const browserOf = async ({ accountId }: { accountId: number }) => {
      const account = await workspace.database.identity.accounts.findById(accountId);
      const visitor = new PageVisitor(api);
      await visitor.signIn(account?.email ?? '');
      return visitor;
    };
    const editor = await browserOf(workspace.admin);
    for (const path of [`/s/${own.uuid}/next-year?preview=true`, `/s/${own.uuid}?preview=true`]) {
      const shown = await editor.get(path);
      expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('<h1>Next year</h1>') });
      expect(shown.headers.get('Cache-Control')).toBe('private, no-store');
      expect(shown.text).toContain('<meta name="robots" content="noindex">');
    }
    expect((await editor.get(`/s/${own.uuid}/next-year`)).status).toBe(404);
    const member = await browserOf(workspace.member);
    expect((await member.get(`/s/${own.uuid}/next-year?preview=true`)).status).toBe(404);
    expect((await atService('/next-year?preview=true', own)).status).toBe(404);
    const cookie = `__Host-wes_session=${editor.cookie('__Host-wes_session')}`;
    const atDomain = await at(name, '/next-year?preview=true', { headers: { Cookie: cookie } });
    expect(atDomain.status).toBe(404);
  });
});

describe('a preview', () => {
  // Codes to sign in with are few.
  let editor: PageVisitor;
  beforeAll(async () => {
    editor = new PageVisitor(api);
    const account = await workspace.database.identity.accounts.findById(workspace.admin.accountId);
    await editor.signIn(account?.email ?? '');
  });
  async function openPreview(path: string, query = '') {
    const own = await addSite(workspace, { name: 'North clinic', theme: 'default', isPublic: false });
    await asAdmin('POST', `/sites/${own.id}/pages`, { title: 'Next year', slug: 'next-year' });
    await asAdmin('POST', `/sites/${own.id}/menu/items`, { label: 'Hours', itemType: 'url', url: '/hours' });
    const { status, headers, text } = await editor.get(`/s/${own.uuid}${path}?preview=true${query}`);
    const [, styles = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    const css = (await editor.get(styles.replaceAll('&amp;', '&'))).text;
    return { own, status, headers, text, css };
  }
  const look = (value: unknown) => `&look=${encodeURIComponent(JSON.stringify(value))}`;

  it('may be framed by this origin, and has no script; other pages are framed by nobody', async () => {
    const { own, headers } = await openPreview('/next-year');
    expect(headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
    const policy = headers.get('Content-Security-Policy');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain('script-src');
    const page = await editor.get(`/s/${own.uuid}`);
    expect(page.headers.get('X-Frame-Options')).toBe('DENY');
    expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  });

  it('is there for a site without a home page, and its links lead to previews', async () => {
    const { own, status, text } = await openPreview('');
    expect(status).toBe(200);
    expect(text).toContain('<h1>North clinic</h1>');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).toContain(`href="/s/${own.uuid}/hours?preview=true"`);
  });

  it('shows a look that is not saved, and nothing else of the address', async () => {
    const chosen = { theme: 'customer-basic', themeSettings: { light: { primary: '#123456' } } };
    const { text, css } = await openPreview('', look({ ...chosen, name: 'Another name' }));
    expect(css).toContain('--primary:#123456');
    expect(css).toContain('--surface:#fdf6ef');
    expect(text).not.toContain('Another name');
    for (const none of [
      look({ theme: 'constructor' }),
      look({ themeSettings: { light: { primary: 'red;}*{' } } }),
      '&look=[',
    ]) {
      expect((await openPreview('', none)).css).toContain('--primary:#0b5cad');
    }
  });
});

describe('lists of a site', () => {
  it('are a sitemap with all locales, and no drafts', async () => {
    const own = await addSite(workspace);
    const start = await addPublishedPage(asAdmin, own.id, { slug: 'start' }, { 'de-DE': 'Anfang' });
    await addPublishedPage(asAdmin, own.id, { slug: 'more' });
    await asAdmin('POST', `/sites/${own.id}/pages`, { title: 'Draft', slug: 'draft' });
    await asAdmin('PUT', `/sites/${own.id}`, { homePageId: start.id });
    const base = `${api.baseUrl}/s/${own.uuid}`;
    const { status, headers, text } = await atService('/sitemap.xml', own);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect([...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address)).toEqual([
      `${base}?locale=de-DE`,
      base,
      `${base}/more`,
    ]);
    expect(text).toContain(`<xhtml:link rel="alternate" hreflang="de-DE" href="${base}?locale=de-DE"/>`);
    expect(text).not.toContain('draft');
    const again = await askSite(api.baseUrl, `/s/${own.uuid}/sitemap.xml`, {
      headers: { 'If-None-Match': headers.etag ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('are a feed of the newest pages', async () => {
    const own = await addSite(workspace, { name: 'News & more' });
    await addPublishedPage(asAdmin, own.id, { slug: 'first', title: 'First' });
    await addPublishedPage(asAdmin, own.id, {
      slug: 'second',
      title: 'Second',
      metaDescription: 'In <short>',
    });
    const { headers, text } = await atService('/feed', own);
    expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(text).toContain('<title>News &amp; more</title>');
    expect([...text.matchAll(/<entry>.*?<title>([^<]+)</g)].map(([, title]) => title)).toEqual([
      'Second',
      'First',
    ]);
    expect(text).toContain('<summary>In &lt;short&gt;</summary>');
  });

  it('are named by robots.txt at the domain', async () => {
    expect((await at(domain, '/robots.txt')).text).toBe(
      `User-agent: *\nAllow: /\nSitemap: https://${domain}/sitemap.xml\n`,
    );
    expect((await at(domain, '/sitemap.xml')).text).toContain(`<loc>https://${domain}/hours</loc>`);
    expect((await atService('/robots.txt')).status).toBe(404);
  });
});

describe('visitors of sites', () => {
  const limited = useApi({ rateLimits: { address: 3 } });
  it('are counted by their address, and are told in a page when they may ask again', async () => {
    const own = await addSite(limited.workspace);
    const ask = () => askSite(limited.api.baseUrl, `/s/${own.uuid}`);
    for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(200);
    const { status, headers, text } = await ask();
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(text).toContain('<h1>Too many requests</h1>');
  });
});
