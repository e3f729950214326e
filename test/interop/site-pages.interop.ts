import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patchSite, type SiteRow } from '../../db/sites/sites.js';
import { ThemeSettings } from '../../domain/sites/themes/theme-settings.js';
import { startChromium } from '../../tools/screenshots/chromium.js';
import { startApi, type TestApi } from '../support/api/api.js';
import { callAs } from '../support/api/call-as.js';
import { addPublishedPage } from '../support/sites/add-published-page.js';
import { addSite } from '../support/sites/add-site.js';
import { mapDomain } from '../support/sites/map-domain.js';
import { addChatSite } from '../support/sites/site-chat.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

/** Kept after the test, to look at. */
const pictures = '.artifacts/sites';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Domains of sites lead to this machine. */
const sitesAreHere = ['--host-resolver-rules=MAP *.example 127.0.0.1'];

const { database, workspace } = useWorkspace({ storesEvents: false });
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  [api, browser] = await Promise.all([startApi(database.database), startChromium(sitesAreHere)]);
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

const asAdmin = (...call: Parameters<ReturnType<typeof callAs>>) =>
  callAs(api, workspace, workspace.admin)(...call);

/** A page with everything that a document can have. */
const contentBlocks = {
  type: 'doc',
  content: [
    { type: 'paragraph', content: [{ type: 'text', text: 'We look after the whole family.' }] },
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'What we do' }] },
    {
      type: 'bulletList',
      content: ['Check-ups', 'Vaccinations'].map((text) => ({
        type: 'listItem',
        content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
      })),
    },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Read ' },
        {
          type: 'text',
          text: 'our leaflet',
          marks: [{ type: 'link', attrs: { href: 'https://leaflet.example/' } }],
        },
        { type: 'text', text: ' or ', marks: [{ type: 'highlight' }] },
        { type: 'text', text: 'the next page', marks: [{ type: 'link', attrs: { href: '/hours' } }] },
      ],
    },
    {
      type: 'table',
      content: ['tableHeader', 'tableCell'].map((type) => ({
        type: 'tableRow',
        content: Array.from({ length: 9 }, (_, place) => ({
          type,
          content: [
            { type: 'paragraph', content: [{ type: 'text', text: `Column ${place + 1} of the table` }] },
          ],
        })),
      })),
    },
    { type: 'codeBlock', attrs: { language: 'text' }, content: [{ type: 'text', text: 'x'.repeat(200) }] },
    {
      type: 'blockquote',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'They are kind.' }] }],
    },
    {
      type: 'taskList',
      content: [
        {
          type: 'taskItem',
          attrs: { checked: true },
          content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Bring your card' }] }],
        },
      ],
    },
  ],
};

/** A site with two pages, a menu and two languages. */
async function addClinic(values: object = {}): Promise<SiteRow> {
  const site = await addSite(workspace, {
    name: 'North clinic',
    tagLine: 'For the whole family',
    theme: 'patient-engagement-demo',
    ...values,
  });
  const home = await addPublishedPage(
    asAdmin,
    site.id,
    { title: 'Welcome', slug: 'home', contentBlocks },
    { 'de-DE': 'Willkommen' },
  );
  const hours = await addPublishedPage(asAdmin, site.id, { title: 'Opening hours', slug: 'hours' });
  await asAdmin('PUT', `/sites/${site.id}`, { homePageId: home.id });
  const items = `/sites/${site.id}/menu/items`;
  const about = await asAdmin('POST', items, { label: 'About us', itemType: 'none' });
  await asAdmin('POST', items, { label: 'Welcome', itemType: 'page', pageId: home.id });
  await asAdmin('POST', items, {
    label: 'Opening hours',
    itemType: 'page',
    pageId: hours.id,
    parentId: about.body.id,
  });
  await asAdmin('POST', items, {
    label: 'Partner',
    itemType: 'url',
    url: 'https://partner.example/',
    target: '_blank',
  });
  return site;
}

/** What a browser complains of, and whether a script of a stranger has run in it. */
interface Watched {
  context: BrowserContext;
  page: Page;
  complaints: string[];
  ran: string[];
}

async function watched(options: { scripts?: boolean } = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 900 },
    javaScriptEnabled: options.scripts ?? true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const ran: string[] = [];
  page.on('console', (message) => {
    // Domains of tests have no certificate.
    const isOfPlainHttp = message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored');
    if (['error', 'warning'].includes(message.type()) && !isOfPlainHttp) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', async (dialog) => {
    ran.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('popup', (popup) => ran.push(`popup ${popup.url()}`));
  page.on('download', (download) => ran.push(`download ${download.url()}`));
  await context.exposeBinding('planted', (_source, what) => {
    ran.push(String(what));
  });
  return { context, page, complaints, ran };
}

/** What axe finds. It is evaluated past the policy, which stays in force for the page. */
async function violations(page: Page, name: string): Promise<unknown[]> {
  await page.evaluate(axe);
  const { violations: found } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.map(({ id, nodes }) => ({ name, id, html: nodes[0]?.html }));
}

const addressOf = ({ uuid }: SiteRow, path = '') => `${api.baseUrl}/s/${uuid}${path}`;

describe('a site in a browser', () => {
  it('is accessible in light and dark, narrow and in print, in each of its themes', async () => {
    const { context, page, complaints } = await watched();
    const found: unknown[] = [];
    for (const theme of [
      'default',
      'patient-engagement-demo',
      'customer-basic',
      'operator-product',
    ] as const) {
      const site = await addClinic({ theme });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(addressOf(site));
        found.push(...(await violations(page, `${theme} ${colorScheme}`)));
        await page.screenshot({ path: `${pictures}/${theme}-${colorScheme}.png`, fullPage: true });
      }
    }
    const site = await addClinic();
    await page.emulateMedia({ colorScheme: 'light' });
    for (const [name, path] of [
      ['german', '?locale=de-DE'],
      ['missing', '/nothing'],
    ] as const) {
      await page.goto(addressOf(site, path));
      found.push(...(await violations(page, name)));
      await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
    }
    await page.goto(addressOf(site));
    await page.setViewportSize({ width: 340, height: 700 });
    found.push(...(await violations(page, 'narrow')));
    await page.screenshot({ path: `${pictures}/narrow.png`, fullPage: true });
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    expect(isTooWide).toBe(false);
    await page.setViewportSize({ width: 800, height: 1100 });
    await page.emulateMedia({ media: 'print' });
    await page.screenshot({ path: `${pictures}/print.png`, fullPage: true });
    expect(await page.getByRole('navigation', { name: 'Menu' }).isVisible()).toBe(false);
    expect(found).toEqual([]);
    expect(complaints.filter((text) => !/404/.test(text))).toEqual([]);
    await context.close();
  });

  it('is walked through by keyboard, without script', async () => {
    const site = await addClinic();
    const { context, page } = await watched({ scripts: false });
    await page.goto(addressOf(site));
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash === '#content');
    await page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: 'Opening hours' })
      .press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Opening hours' }).waitFor();
    await page.getByRole('link', { name: 'North clinic' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    await page.getByRole('link', { name: 'Deutsch (Deutschland)' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Willkommen' }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('de-DE');
    await context.close();
  });
});

describe('the chat of a site', () => {
  it('appears on its pages, under their policy', async () => {
    const site = await addChatSite(api, workspace, {
      content: 'Write to us.',
      theme: 'patient-engagement-demo',
    });
    const { context, page, complaints } = await watched();
    await page.goto(`${api.baseUrl}/s/${site.uuid}`);
    await page.getByRole('button', { name: /^Chat/ }).press('Enter');
    await page.getByRole('dialog', { name: /^Chat with Site/ }).waitFor();
    expect(await violations(page, 'chat')).toEqual([]);
    await page.screenshot({ path: `${pictures}/chat.png` });
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('a site at its domain, in a browser', () => {
  it('shows its pages and its chat, which comes from the service, and gets no cookie', async () => {
    const site = await addChatSite(api, workspace, { name: 'Domain clinic' });
    await addPublishedPage(asAdmin, site.id, { title: 'Opening hours', slug: 'hours' });
    const domain = await mapDomain(workspace, site.id);
    const { context, page, complaints } = await watched();
    const origin = `http://${domain}:${new URL(api.baseUrl).port}`;
    await page.goto(`${origin}/hours`);
    await page.getByRole('heading', { level: 1, name: 'Opening hours' }).waitFor();
    await page.getByRole('button', { name: /^Chat/ }).press('Enter');
    await page.getByRole('dialog', { name: 'Chat with Domain clinic' }).waitFor();
    expect(await violations(page, 'domain')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Domain clinic' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Domain clinic' }).waitFor();
    expect(page.url()).toBe(`${origin}/`);
    expect(await context.cookies()).toEqual([]);
    // Without HTTPS, Chromium ignores a header.
    expect(complaints.filter((one) => !/Cross-Origin-Opener-Policy/.test(one))).toEqual([]);
    await context.close();
  });
});

describe('scripts that are stored in a site', () => {
  /** Runs in whatever place it gets to: text, an attribute, a script, a style, an address. */
  const payload = (place: string) =>
    `"'></title></style></script><script>planted('${place}')</script><img src=x onerror="planted('${place}')"><svg onload=planted('${place}')>\`\${planted('${place}')}\``;

  /** A script in each setting of a schema, and in those within. */
  const plantedIn = (schema: { properties: Record<string, object> }, place: string): object =>
    Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [
        name,
        'properties' in one
          ? plantedIn(one as typeof schema, `${place}.${name}`)
          : `red;}${payload(`${place}.${name}`)}`,
      ]),
    );

  it('are inert in every field of a document, a menu, a locale and a theme setting', async () => {
    const site = await addClinic({
      name: payload('name').slice(0, 200),
      tagLine: payload('tagLine'),
      metaDescription: payload('metaDescription'),
      content: payload('content'),
    });
    const text = (place: string, marks: object[] = []) => ({ type: 'text', text: payload(place), marks });
    const page = await addPublishedPage(asAdmin, site.id, {
      title: payload('title').slice(0, 200),
      slug: 'planted',
      metaDescription: payload('description').slice(0, 300),
      contentBlocks: {
        type: 'doc',
        content: [
          { type: 'paragraph', content: [text('paragraph', [{ type: 'code' }])] },
          { type: 'heading', attrs: { level: 2 }, content: [text('heading')] },
          { type: 'codeBlock', content: [{ type: 'text', text: payload('code') }] },
          {
            type: 'bulletList',
            content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [text('item')] }] }],
          },
          {
            type: 'table',
            content: [
              {
                type: 'tableRow',
                content: [{ type: 'tableCell', content: [{ type: 'paragraph', content: [text('cell')] }] }],
              },
            ],
          },
          {
            type: 'details',
            content: [
              { type: 'detailsSummary', content: [text('summary')] },
              { type: 'detailsContent', content: [{ type: 'paragraph', content: [text('details')] }] },
            ],
          },
          {
            type: 'paragraph',
            content: [
              text('link', [
                { type: 'link', attrs: { href: 'https://x.example/', title: payload('link title') } },
              ]),
            ],
          },
          {
            type: 'image',
            attrs: {
              src: '/api/v2/docs/icon.svg',
              alt: payload('alt').slice(0, 200),
              title: payload('image title').slice(0, 200),
            },
          },
        ],
      },
    });
    const german = await asAdmin('PUT', `/sites/${site.id}/pages/${page.id}/documents/de-DE`, {
      title: payload('german title').slice(0, 200),
      metaDescription: payload('german description').slice(0, 300),
      contentBlocks: { type: 'doc', content: [{ type: 'paragraph', content: [text('german')] }] },
    });
    expect(german.status).toBeLessThan(300);
    await asAdmin('POST', `/sites/${site.id}/pages/${page.id}/publish`);
    const items = `/sites/${site.id}/menu/items`;
    const planted = await asAdmin('POST', items, {
      label: payload('label').slice(0, 200),
      itemType: 'none',
      translations: { 'de-DE': payload('translation').slice(0, 200) },
    });
    expect(planted.status).toBe(201);
    // What the API refuses, as if it had been stored in another way.
    await database.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await tx('site_menu_items')
        .where({ id: planted.body.id })
        .update({
          item_type: 'url',
          url: `javascript:planted('url')`,
          icon: payload('icon'),
          css_class: payload('class'),
        });
      await patchSite(tx, site.id, {
        redirectUrl: `javascript:planted('redirect')`,
        googleAnalyticsId: payload('analytics'),
        googleAdwordsId: payload('ads'),
        themeSettings: {
          bodyFont: payload('font'),
          baseSize: payload('size'),
          colorScheme: payload('scheme'),
          light: { background: `red;background:url(javascript:planted('color'))`, text: payload('color') },
          print: { margin: payload('margin') },
        },
      });
    });
    const { context, page: tab, complaints, ran } = await watched();
    for (const path of ['/planted', '', '/planted?locale=de-DE', `/${encodeURIComponent(payload('path'))}`]) {
      const suffix = path.includes('?') ? '&' : '?';
      await tab.goto(addressOf(site, `${path}${suffix}x=${encodeURIComponent(payload('query'))}`));
      await tab.waitForLoadState('load');
    }
    for (const path of ['/feed', '/sitemap.xml']) await tab.goto(addressOf(site, path));
    await tab.goto(addressOf(site, '/planted'));
    expect(await tab.evaluate('document.scripts.length')).toBe(0);
    expect(
      await tab.evaluate('document.querySelectorAll("[onerror], [onload], svg, style, base, iframe").length'),
    ).toBe(0);
    expect(
      await tab.evaluate(`[...document.links].filter((one) => /script/i.test(one.protocol)).length`),
    ).toBe(0);
    expect(await tab.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await tab.locator('main h1').innerText()).toBe(page.title);
    expect(ran).toEqual([]);
    expect(complaints.filter((one) => !/status of 404/.test(one))).toEqual([]);
    await context.close();
  });

  it('are inert past the API too, in every column of text and every setting, in pages, AMP, lists and the icon', async () => {
    const site = await addChatSite(api, workspace, { availableLocales: ['en-US', 'en-GB'] });
    const page = await addPublishedPage(asAdmin, site.id, { slug: 'planted' }, { 'en-GB': 'Planted' });
    const item = await asAdmin('POST', `/sites/${site.id}/menu/items`, {
      label: 'x',
      itemType: 'url',
      url: '/x',
    });
    const kept = ['slug', 'theme', 'locale', 'primary_locale', 'item_type', 'target'];
    const columns = await database.database.inWorkspace(workspace.workspaceId, async (tx) => {
      const tables = {
        sites: site.id,
        site_pages: page.id,
        site_page_documents: page.id,
        site_menu_items: item.body.id,
      };
      const found = await tx('information_schema.columns')
        .whereIn('table_name', Object.keys(tables))
        .where({ table_schema: 'public', data_type: 'text' })
        .whereNotIn('column_name', kept)
        .select<{ table: keyof typeof tables; column: string }[]>({
          table: 'table_name',
          column: 'column_name',
        });
      for (const { table, column } of found) {
        const key = table === 'site_page_documents' ? 'page_id' : 'id';
        await tx(table)
          .where({ [key]: tables[table] })
          .update({ [column]: payload(`${table}.${column}`) });
      }
      const translations = JSON.stringify({ 'en-US': payload('translation') });
      await tx('site_menu_items').where({ id: tables.site_menu_items }).update({ translations });
      const settings = plantedIn(ThemeSettings, 'setting');
      await tx('sites')
        .where({ id: site.id })
        .update({ theme_settings: JSON.stringify(settings) });
      return found;
    });
    expect(columns.length).toBeGreaterThan(25);
    const { context, page: tab, ran } = await watched();
    await tab.route(/^https:/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    for (const path of ['/planted', '', '/planted?amp=1', '/planted?locale=en-GB', '/gone'])
      await tab.goto(`${api.baseUrl}/s/${site.uuid}${path}`);
    const icon = await (await fetch(`${api.baseUrl}/s/${site.uuid}/favicon.ico`)).text();
    expect(icon).toMatch(/^<svg [^<]*<rect [^<]*<text [^<]*>.<\/text><\/svg>\n$/u);
    for (const path of ['/feed', '/sitemap.xml']) {
      const answer = await fetch(`${api.baseUrl}/s/${site.uuid}${path}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/xml/),
      ]);
      await tab.goto(`${api.baseUrl}/s/${site.uuid}${path}`);
    }
    await tab.goto(`${api.baseUrl}/s/${site.uuid}/planted`);
    // What was stored as HTML is in the page, where the policy does not let it run.
    expect(await tab.evaluate('document.querySelectorAll("main script").length')).toBeGreaterThan(0);
    expect(await tab.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(ran).toEqual([]);
    await context.close();
  });

  it('do not run where a site has analytics: the policy lets Google run, by the nonce of the page', async () => {
    const site = await addClinic({ googleAnalyticsId: 'G-ABC1234' });
    const origin = `http://${await mapDomain(workspace, site.id)}:${new URL(api.baseUrl).port}`;
    const { context, page, complaints, ran } = await watched();
    const asked: string[] = [];
    await page.route(/^https:/, async (route) => {
      asked.push(route.request().url());
      await route.fulfill({ contentType: 'text/javascript', body: 'window.measured = true;' });
    });
    for (const visit of ['first', 'again'] as const) {
      await page.goto(origin);
      await expect
        .poll(async () => [await page.evaluate('window.measured'), asked.length > 0, complaints])
        .toEqual([true, true, []]);
      expect(await page.evaluate('dataLayer.length')).toBe(2);
      expect([visit, complaints]).toEqual([visit, []]);
    }
    expect(asked[0]).toBe('https://www.googletagmanager.com/gtag/js?id=G-ABC1234');
    const injected = `(() => { const one = document.createElement('script'); one.textContent = "planted('injected')"; document.body.append(one); })()`;
    await page.evaluate(injected);
    await expect.poll(() => complaints.join()).toMatch(/Content Security Policy/);
    expect(ran).toEqual([]);
    await context.close();
  });
});
