import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningWebsite, startWebsite } from '../../tools/simulators/website/start-website.js';
import { addPublishedPage } from '../support/sites/add-published-page.js';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
let website: RunningWebsite;
beforeAll(async () => {
  website = await startWebsite({ port: 0 });
});
afterAll(() => website?.close());

const sites = () => `/console/w/${tests.workspace.workspaceUuid}/sites`;
const asAdmin = (...call: Parameters<typeof tests.workspace.asAdmin>) => tests.workspace.asAdmin(...call);
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the site' }).getByRole('link', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const saved = (page: Page) =>
  page
    .getByRole('status')
    .getByText(/^Saved\.?$/)
    .waitFor();
const shown = (page: Page) => page.frameLocator('iframe[title=Preview]');

let made = 0;
async function newSite(values: object = {}): Promise<{ id: number; uuid: string; url: string }> {
  made += 1;
  const name = `North clinic ${made}`;
  const { status, body } = await asAdmin('POST', '/sites', { name, isPublic: true, ...values });
  expect(status).toBe(201);
  return body;
}

async function newPage(site: { id: number }, values: object) {
  const made = await asAdmin('POST', `/sites/${site.id}/pages`, values);
  expect(made.status).toBe(201);
  return made.body as { id: number };
}

const pageOf = (site: { id: number }, page: { id: number }) => `${sites()}/${site.id}/pages/${page.id}`;

describe('the sites', () => {
  it('are made, and get a look that shows before it is saved', async () => {
    const page = await tests.open(tests.workspace.admin, sites());
    await page.getByText('There are no sites yet.').waitFor();
    await button(page, 'New site').click();
    await dialog(page).getByLabel('Name').fill('Open day');
    await dialog(page).getByLabel('Name').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Open day' }).waitFor();
    await shown(page).getByRole('heading', { name: 'Open day' }).waitFor();
    const colour = () =>
      page.evaluate(`(() => {
        const band = document.querySelector('iframe')?.contentDocument?.querySelector('.band');
        return band ? getComputedStyle(band).backgroundColor : undefined;
      })()`);
    await page.getByRole('radio', { name: /Patient engagement/ }).check();
    await expect.poll(colour).toBe('rgb(238, 247, 245)');
    expect((await asAdmin('GET', '/sites')).body.items[0].theme).toBe('default');

    await page.getByText('Colours', { exact: true }).click();
    await page.getByRole('group', { name: 'On light' }).getByLabel('Text', { exact: true }).fill('#eeeeee');
    await page.getByText('“Text” is hard to read on “Background”').waitFor();
    await page.getByRole('group', { name: 'On light' }).getByLabel('Text', { exact: true }).fill('#222222');
    await page.getByLabel('Line below the name', { exact: true }).fill('Come and see us');
    await page.reload();
    expect(await page.getByLabel('Line below the name', { exact: true }).inputValue()).toBe(
      'Come and see us',
    );
    await button(page, 'Save').click();
    await saved(page);
    await shown(page).getByText('Come and see us').waitFor();
    expect(await tests.look(page, 'sites-look')).toEqual([]);

    await page.getByRole('main').getByRole('link', { name: 'Sites' }).first().click();
    await page.getByRole('cell', { name: 'Open day', exact: true }).waitFor();
    expect(await tests.look(page, 'sites')).toEqual([]);
  });

  it('are set, two people told of each other, copied and deleted', async () => {
    tests.provoked = /status of 400/;
    const site = await newSite({ availableLocales: ['en-US', 'de-DE'] });
    const page = await tests.open(tests.workspace.admin, `${sites()}/${site.id}/settings`);
    await page.getByLabel('Send visitors elsewhere').fill('http://elsewhere.example');
    await button(page, 'Save').click();
    await expect
      .poll(() => page.getByLabel('Send visitors elsewhere').getAttribute('aria-invalid'))
      .toBe('true');
    await page.getByLabel('Send visitors elsewhere').fill('');
    await page.getByLabel('Add a language').fill('es');
    await page.getByLabel('Add a language').press('Enter');
    await page.getByLabel('Greeting in German (Germany)').fill('Guten Tag');
    await asAdmin('PUT', `/sites/${site.id}`, { availableLocales: ['en-US', 'fr'], tagLine: 'Theirs' });
    await button(page, 'Save').click();
    await page.getByText('Somebody else has meanwhile changed the same.').waitFor();
    expect((await asAdmin('GET', `/sites/${site.id}`)).body.availableLocales).toEqual(['en-US', 'fr']);
    await button(page, 'Save').click();
    await saved(page);
    expect((await asAdmin('GET', `/sites/${site.id}`)).body).toMatchObject({
      availableLocales: ['en-US', 'de-DE', 'es'],
      chatGreetingTranslations: { 'de-DE': 'Guten Tag' },
      tagLine: 'Theirs',
    });
    expect(await tests.look(page, 'sites-settings')).toEqual([]);

    await button(page, 'Duplicate').click();
    await dialog(page).getByLabel('Name').fill('South clinic');
    await dialog(page).getByLabel('Name').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'South clinic' }).waitFor();
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
    await page.getByRole('cell', { name: 'South clinic', exact: true }).waitFor({ state: 'detached' });
  });

  it('have a menu that is reordered by the keyboard, by buttons and by dragging', async () => {
    const site = await newSite({ availableLocales: ['en-US', 'de-DE'] });
    await addPublishedPage(asAdmin, site.id, { title: 'Opening hours', slug: 'hours' });
    const page = await tests.open(tests.workspace.admin, `${sites()}/${site.id}/menu`);
    await page.getByText('The menu is empty.').waitFor();
    for (const label of ['About us', 'Partner']) {
      await button(page, 'New item').click();
      await page.getByLabel('Leads to').selectOption('A page of the site');
      await page.getByLabel('Leads to').selectOption('Nothing: a heading');
      await page.getByLabel('Label', { exact: true }).fill(label);
      await button(page, 'Save').click();
      await page.getByRole('heading', { level: 2, name: label }).waitFor();
    }
    await button(page, 'New item').click();
    await page.getByLabel('Page', { exact: true }).selectOption({ label: 'Opening hours (/hours)' });
    await page.getByLabel('Label in German (Germany)').fill('Zeiten');
    await button(page, 'Save').click();
    await page.getByRole('heading', { level: 2, name: 'Opening hours' }).waitFor();

    const order = async () => {
      const { items } = (await asAdmin('GET', `/sites/${site.id}/menu`)).body;
      return items.map(({ label, children }: { label: string; children: { label: string }[] }) =>
        [label, ...children.map((child) => child.label)].join(' > '),
      );
    };
    expect(await order()).toEqual(['About us', 'Partner', 'Opening hours']);
    const handle = (label: string) => button(page, `Move ${label}`);
    await handle('Opening hours').focus();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('status').getByText('Opening hours is now number 2 of the menu.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move Opening hours');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('status').getByText('Opening hours is now number 1 below About us.').waitFor();
    expect(await order()).toEqual(['About us > Opening hours', 'Partner']);
    await page.getByRole('group', { name: 'Move' }).getByRole('button', { name: 'Out' }).click();
    await expect.poll(order).toEqual(['About us', 'Opening hours', 'Partner']);

    const from = await handle('Partner').boundingBox();
    const to = await handle('About us').boundingBox();
    if (from === null || to === null) throw new Error('there is no handle');
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 2, { steps: 5 });
    expect(await page.locator('[data-drop]').count()).toBe(1);
    await page.mouse.up();
    await expect.poll(order).toEqual(['Partner', 'About us', 'Opening hours']);
    expect(await tests.look(page, 'sites-menu')).toEqual([]);

    await button(page, 'Delete').last().click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(order).toEqual(['Partner', 'About us']);
  });

  it('get a domain in steps, and say why the proof is not found', async () => {
    // A domain that is given back is looked for once more.
    tests.provoked = /status of (400|404)/;
    const site = await newSite();
    const page = await tests.open(tests.workspace.admin, `${sites()}/${site.id}/domain`);
    await page.getByLabel('Domain', { exact: true }).fill('co.uk');
    await button(page, 'Use a domain').click();
    await expect
      .poll(() => page.getByLabel('Domain', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true');
    await page.getByLabel('Domain', { exact: true }).fill('www.open-day.example');
    await button(page, 'Use a domain').click();
    await page.getByText('_wes-challenge.www.open-day.example').waitFor();
    await button(page, 'Look it up now').click();
    await page.getByText('There is no such record.').waitFor();
    expect(await tests.look(page, 'sites-domain')).toEqual([]);
    await button(page, 'Give the domain back').click();
    await dialog(page).getByRole('button', { name: 'Give the domain back' }).click();
    await page.getByLabel('Domain', { exact: true }).waitFor();
  });

  it('read another site, and list what became of each address', async () => {
    // Without a schedule there is none to read.
    tests.provoked = /status of (400|404)/;
    const site = await newSite();
    const page = await tests.open(tests.workspace.admin, `${sites()}/${site.id}/crawl`);
    await page.getByLabel('Address to begin at').fill('https://');
    await page.getByLabel('Address to begin at').fill(`${website.site}/`);
    await page.getByLabel('Pages at most').fill('5');
    await button(page, 'Read it now').click();
    await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByRole('table').getByText('Page made').first().waitFor();
    await page.getByLabel('Read it again').selectOption('every week');
    await page.getByText('Next', { exact: true }).waitFor();
    expect(await tests.look(page, 'sites-crawl')).toEqual([]);
    await page.getByLabel('What became of it').selectOption('Page made');
    await page.getByRole('table').getByRole('link', { name: 'Open' }).first().click();
    await page.getByText('Read from').waitFor();
    await text(page).waitFor();
    await part(page, 'Pages').count();
  });
});

describe('the pages of a site', () => {
  it('are written by mouse and keyboard, published and withdrawn', async () => {
    const site = await newSite({ availableLocales: ['en-US', 'de-DE'] });
    await addPublishedPage(asAdmin, site.id, { title: 'Opening hours', slug: 'hours' });
    const page = await tests.open(tests.workspace.admin, `${sites()}/${site.id}/pages`);
    await page.getByRole('link', { name: 'Opening hours' }).waitFor();
    expect(await tests.look(page, 'sites-pages')).toEqual([]);
    await button(page, 'New page').click();
    await dialog(page).getByLabel('Title').fill('Welcome');
    await dialog(page).getByLabel('Title').press('Enter');
    await text(page).click();
    await page.keyboard.press('Control+Alt+2');
    await page.keyboard.type('What we do');
    await page.keyboard.press('Enter');
    await page.keyboard.type('We are ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('here');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(' for you. ');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Or a page of the site').selectOption({ label: 'Opening hours (/hours)' });
    await button(page, 'Apply').click();
    await page.keyboard.press('Enter');
    // The bar is one stop before the text.
    await page.keyboard.press('Shift+Tab');
    await button(page, 'Undo (Ctrl+Z)').focus();
    for (let step = 0; step < 13; step++) await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('List (Ctrl+Shift+8)');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Check-ups');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Vaccinations');
    await saved(page);
    expect(await tests.look(page, 'sites-page')).toEqual([]);
    await button(page, 'Preview').click();
    await shown(page).getByRole('heading', { level: 2, name: 'What we do' }).waitFor();
    await shown(page).getByRole('link', { name: 'Opening hours' }).waitFor();

    await button(page, 'Publish').click();
    await page
      .getByText('Visitors read it then as it is now, in: English (United States)')
      .or(page.getByText('in: American English'))
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published', { exact: true }).first().waitFor();
    const visitor = await tests.browser.newPage();
    await visitor.goto(`${tests.system.api.baseUrl}/s/${site.uuid}/welcome`);
    expect(await visitor.locator('main strong').textContent()).toBe('here');
    expect(await visitor.locator('main li').allTextContents()).toEqual(['Check-ups', 'Vaccinations']);
    await visitor.getByRole('link', { name: 'Opening hours' }).click();
    await visitor.getByRole('heading', { name: 'Opening hours' }).waitFor();

    await page
      .getByRole('navigation', { name: 'Languages' })
      .getByRole('link', { name: /German/ })
      .click();
    await button(page, /^Begin in German/).click();
    await page.getByLabel('Title').fill('Willkommen');
    await saved(page);
    await button(page, 'Publish').click();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    await visitor.goto(`${tests.system.api.baseUrl}/s/${site.uuid}/welcome?locale=de-DE`);
    await visitor.getByRole('heading', { level: 1, name: 'Willkommen' }).waitFor();

    await page.getByLabel('Address in the site').fill('hours');
    await page.getByLabel('Address in the site').press('Enter');
    tests.provoked = /status of (400|410)/;
    await expect.poll(() => page.getByLabel('Address in the site').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Address in the site').fill('start');
    await page.getByLabel('Address in the site').press('Enter');
    await page.getByRole('link', { name: /\/start$/ }).waitFor();
    await button(page, 'Make it the home page').click();
    await page.getByText('This is the home page of the site.').waitFor();
    await button(page, 'Withdraw').click();
    await dialog(page).getByRole('button', { name: 'Withdraw' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    expect((await visitor.goto(`${tests.system.api.baseUrl}/s/${site.uuid}/start`))?.status()).toBe(410);
    await visitor.close();
  });

  it('lose nothing that two people write, and give earlier versions back', async () => {
    tests.provoked = /status of 412/;
    const site = await newSite();
    const made = await newPage(site, { title: 'Prices', contentBlocks: paragraphs('First text') });
    await asAdmin('POST', `/sites/${site.id}/pages/${made.id}/publish`);
    const page = await tests.open(tests.workspace.admin, pageOf(site, made));
    await text(page).getByText('First text').waitFor();
    const documents = `/sites/${site.id}/pages/${made.id}/documents/en-US`;
    const stored = async () => (await asAdmin('GET', documents)).body.contentMarkdown;
    await asAdmin('PUT', documents, { contentBlocks: paragraphs('Their text') });
    await text(page).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and mine');
    await page.getByText('Somebody else has changed this text meanwhile.').waitFor();
    expect(await stored()).toBe('Their text');
    await page.reload();
    await text(page).getByText('First text and mine').waitFor();
    expect(await tests.look(page, 'sites-page-conflict')).toEqual([]);
    await button(page, 'Keep mine, and replace what is stored').click();
    await saved(page);
    await expect.poll(stored).toBe('First text and mine');

    const versions = page.getByRole('complementary').getByRole('listitem');
    await versions.filter({ hasText: 'published' }).getByRole('button').click();
    await page
      .getByRole('region', { name: 'Prices' })
      .or(page.getByText('Back to the text'))
      .first()
      .waitFor();
    expect(await tests.look(page, 'sites-revision')).toEqual([]);
    await button(page, 'Restore').click();
    await dialog(page).getByRole('button', { name: 'Restore' }).click();
    await text(page).getByText('First text', { exact: true }).waitFor();
    await expect.poll(stored).toBe('First text');
  });

  it('keep everything that a document can have, under the policy of the page', async () => {
    const site = await newSite();
    const made = await newPage(site, { title: 'All', contentBlocks: everything });
    const page = await tests.open(tests.workspace.admin, pageOf(site, made), { keepsPolicy: true });
    await text(page).getByText('Folded').waitFor();
    await page
      .getByText('figure at elsewhere')
      .or(page.getByText('https://elsewhere.example/a.png'))
      .waitFor();
    const documents = `/sites/${site.id}/pages/${made.id}/documents/en-US`;
    const before = (await asAdmin('GET', documents)).body.contentBlocks;
    await text(page).getByText('The end').click();
    await page.keyboard.press('End');
    await page.keyboard.type('.');
    await saved(page);
    const after = (await asAdmin('GET', documents)).body.contentBlocks;
    expect(after.content.at(-1).content[0].text).toBe('The end.');
    expect(after.content.slice(0, -1)).toEqual(before.content.slice(0, -1));
    await page.context().close();
  });

  it('have pictures of this computer, and are only read by who may not write', async () => {
    const site = await newSite();
    const made = await newPage(site, { title: 'Pictures', contentBlocks: paragraphs('Look') });
    const page = await tests.open(tests.workspace.admin, pageOf(site, made));
    await text(page).click();
    await button(page, 'Image').click();
    await page.getByLabel('Upload a picture').setInputFiles({
      name: 'house.png',
      mimeType: 'image/png',
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    });
    await expect.poll(() => page.getByLabel('Address of the picture').inputValue()).toContain('house.png');
    await page.getByLabel('What it shows').fill('Our house');
    expect(await tests.look(page, 'sites-picture')).toEqual([]);
    await button(page, 'Apply').click();
    await text(page).getByRole('img', { name: 'Our house' }).waitFor();
    await saved(page);

    const reader = await addMember(tests.workspace, { permissions: ['sites:read'] });
    const other = await tests.open(reader, pageOf(site, made));
    await other.getByRole('img', { name: 'Our house' }).waitFor();
    expect(await other.getByRole('toolbar').count()).toBe(0);
    for (const name of ['Publish', 'Delete page', 'Make it the home page']) {
      expect(await button(other, name).count(), name).toBe(0);
    }
    await other.goto(`${tests.system.api.baseUrl}${sites()}/${site.id}`);
    await other.getByText('Your role may look at sites, but not change them.').waitFor();
    const nobody = await tests.open(await addMember(tests.workspace), tests.inbox.replace('/inbox', ''));
    await nobody.getByRole('link', { name: 'Home' }).waitFor();
    expect(await nobody.getByRole('link', { name: 'Sites' }).count()).toBe(0);
  });

  it('and sites that are gone say so', async () => {
    tests.provoked = /status of 404/;
    const site = await newSite();
    const page = await tests.open(tests.workspace.admin, `${sites()}/999999999`);
    await page.getByText('There is no such site.').waitFor();
    await page.goto(`${tests.system.api.baseUrl}${pageOf(site, { id: 999_999_999 })}`);
    await page.getByText('There is no such page.').waitFor();
  });

  it('are in German for who reads it', async () => {
    const site = await newSite({ availableLocales: ['en-US', 'de-DE'] });
    const made = await newPage(site, { title: 'Preise', contentBlocks: paragraphs('Gratis') });
    const page = await tests.open(tests.workspace.admin, pageOf(site, made), { locale: 'de-DE' });
    await page.getByRole('textbox', { name: 'Text' }).getByText('Gratis').waitFor();
    expect(await tests.look(page, 'sites-page-de')).toEqual([]);
  });
});

const p = (...content: object[]) => ({ type: 'paragraph', content });
const t = (value: string, ...marks: object[]) => ({ type: 'text', text: value, marks });
const paragraphs = (...texts: string[]) => ({ type: 'doc', content: texts.map((one) => p(t(one))) });

/** All nodes and marks of docs/site-pages.md. */
const everything = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 5, textAlign: 'right' }, content: [t('Heading')] },
    {
      type: 'paragraph',
      attrs: { textAlign: 'justify' },
      content: [
        ...['bold', 'italic', 'strike', 'underline', 'highlight', 'subscript', 'superscript', 'code'].map(
          (type) => t(type, { type }),
        ),
        t('link', { type: 'link', attrs: { href: '/hours', target: '_blank', title: 'Hours' } }),
        { type: 'hardBreak' },
        t('next line'),
      ],
    },
    { type: 'bulletList', content: [{ type: 'listItem', content: [p(t('One'))] }] },
    {
      type: 'orderedList',
      attrs: { start: 3, type: 'a' },
      content: [{ type: 'listItem', content: [p(t('Three'))] }],
    },
    {
      type: 'taskList',
      content: [{ type: 'taskItem', attrs: { checked: true }, content: [p(t('Card'))] }],
    },
    { type: 'blockquote', content: [p(t('They are kind.'))] },
    { type: 'codeBlock', attrs: { language: 'json' }, content: [{ type: 'text', text: '{}' }] },
    { type: 'horizontalRule' },
    {
      type: 'image',
      attrs: { src: 'https://elsewhere.example/a.png', alt: 'A house', width: 200, height: 100 },
    },
    {
      type: 'table',
      content: [
        {
          type: 'tableRow',
          content: [
            {
              type: 'tableHeader',
              attrs: { colspan: 2, align: 'center', colwidth: [120, 120] },
              content: [p(t('Both'))],
            },
          ],
        },
        {
          type: 'tableRow',
          content: ['left', 'right'].map((align) => ({
            type: 'tableCell',
            attrs: { align, colwidth: [120] },
            content: [p(t(align))],
          })),
        },
      ],
    },
    {
      type: 'details',
      attrs: { open: true },
      content: [
        { type: 'detailsSummary', content: [t('More')] },
        { type: 'detailsContent', content: [p(t('Folded'))] },
      ],
    },
    p(t('The end')),
  ],
};
