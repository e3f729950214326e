import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../../tools/screenshots/chromium.js';
import { startApi, type TestApi } from '../support/api/api.js';
import { loginCodeOf } from '../support/api/login.js';
import { TestOAuthClient } from '../support/api/oauth-client.js';
import { stageEmails } from '../support/chats/email-stage.js';
import { MovedClock } from '../support/lib/moved-clock.js';
import { addInbox } from '../support/workspace/inboxes.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

/** Kept after the test, to look at. */
const pictures = '.artifacts/pages';
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const { database, workspace } = useWorkspace({ storesEvents: false });
let api: TestApi;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  [api, browser] = await Promise.all([startApi(database.database), startChromium()]);
  // The policy of the pages runs no script: axe is allowed in past it.
  context = await browser.newContext({ bypassCSP: true, viewport: wide });
  page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

const wide = { width: 1000, height: 900 };
const narrow = { width: 390, height: 844 };

/** What is wrong with the page in light, dark, forced colours and on a telephone; keeps pictures. */
async function look(name: string): Promise<unknown[]> {
  const found: unknown[] = [];
  const picture = (look: string) =>
    page.screenshot({ path: `${pictures}/${name}-${look}.png`, fullPage: true });
  await picture('light');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.addScriptTag({ path: axe });
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    found.push(...violations.map(({ id, nodes }) => ({ name, colorScheme, id, html: nodes[0]?.html })));
  }
  await picture('dark');
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await picture('forced');
  await page.emulateMedia({ forcedColors: 'none' });
  await page.setViewportSize(narrow);
  await picture('narrow');
  found.push(...((await page.evaluate(tooSmallOrWide)) as string[]).map((what) => ({ name, what })));
  await page.setViewportSize(wide);
  return found;
}

/** WCAG 2.2: no scrolling in two directions (1.4.10), targets of 24 pixels (2.5.8); buttons of ours have 44. */
const tooSmallOrWide = `(() => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('overflow ' + document.documentElement.scrollWidth);
  for (const one of document.querySelectorAll('button, .button, input:not([type=hidden]), select, textarea, summary, nav a')) {
    const { height } = one.getBoundingClientRect();
    const least = one.matches('button, .button') ? 44 : 24;
    if (one.checkVisibility() && height < least) found.push(height + ' ' + one.outerHTML);
  }
  return found;
})()`;

async function signIn(): Promise<void> {
  const account = await database.database.identity.accounts.findById(workspace.admin.accountId);
  await page.getByLabel('Email or phone number').fill(account?.email ?? '');
  await page.getByRole('button', { name: 'Send a code' }).click();
  const uuid = await page.locator('input[name=uuid]').inputValue();
  expect(await look('code')).toEqual([]);
  await page.getByLabel('Code').fill(await loginCodeOf(api, uuid));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('the pages in a browser', () => {
  it('let a person sign in and manage keys, apps and sessions, by keyboard and screen reader', async () => {
    await page.goto(`${api.baseUrl}/settings/api-keys`);
    expect(await look('sign-in')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with your organization' }).press('Enter');
    await page.getByLabel('Short name of the organization').waitFor();
    expect(await look('sign-in-organization')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in by a code instead' }).press('Enter');
    await signIn();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByRole('link', { name: 'Create a key' }).press('Enter');
    await page.getByLabel('Name').fill('Reporting');
    await page.getByLabel('What I choose here').press('Space');
    await page.getByLabel('chats:read').press('Space');
    expect(await look('new-key')).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).press('Enter');
    await page.getByRole('heading', { name: 'Copy the key now' }).waitFor();
    expect(await look('key')).toEqual([]);
    const secret = await page.getByLabel('Key', { exact: true }).inputValue();
    // The field has the focus: the keys alone select what is copied.
    await page.keyboard.press('Control+A');
    const selected =
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)';
    expect(await page.evaluate(selected)).toBe(secret);
    const chats = await fetch(`${api.baseUrl}/api/v2${workspace.path('/chats')}`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(chats.status).toBe(200);
    for (const [name, title] of [
      ['Home', 'home'],
      ['API keys', 'keys'],
      ['Connected apps', 'connections'],
      ['Sessions', 'sessions'],
      ['Account', 'account'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: name === 'Home' ? /^Hello/ : name }).waitFor();
      expect(await look(title)).toEqual([]);
    }
  });

  it('begin at what is wrong with a form', async () => {
    await page.goto(`${api.baseUrl}/settings/api-keys/new`);
    await page.getByLabel('Name').fill('Nothing');
    await page.getByRole('button', { name: 'Create' }).click();
    const problem = page.getByRole('group', { name: 'There is a problem' });
    await problem.waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('summary');
    expect(await look('new-key-wrong')).toEqual([]);
  });

  it('ask before a key is revoked, and say that it is', async () => {
    await page.goto(`${api.baseUrl}/settings/api-keys`);
    await page.getByRole('link', { name: 'Revoke Reporting' }).click();
    await page.getByRole('heading', { name: 'Revoke “Reporting”?' }).waitFor();
    expect(await look('revoke')).toEqual([]);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').innerText()).toBe('“Reporting” is revoked.');
    expect(await look('revoked')).toEqual([]);
  });

  it('let an app in: consent by a form whose redirect the browser follows', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Apps', exact: true }).click();
    await page.getByRole('link', { name: 'Create an app' }).click();
    await page.getByLabel('Name').fill('Desk client');
    // Nothing listens there: the address that the browser is sent to tells the answer.
    const redirectUri = 'http://127.0.0.1:9/callback';
    await page.getByLabel('Redirect URIs').fill(redirectUri);
    await page.getByLabel('On people’s devices').check();
    await page.getByLabel('What I choose here').check();
    await page.getByLabel('chats:read').check();
    expect(await look('new-app')).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    const clientId = await page.getByLabel('Client id').inputValue();
    expect(await look('app-created')).toEqual([]);
    const client = new TestOAuthClient(api, { clientId, redirectUri });
    const begun = await client.begin();
    await page.goto(api.baseUrl + begun.path);
    await page.getByRole('heading', { name: 'Connect Desk client' }).waitFor();
    expect(await look('consent')).toEqual([]);
    const answered = page.waitForRequest((request) => request.url().startsWith(redirectUri));
    await page.getByRole('radio').first().check();
    // Nobody listens there. The next page is asked for once the browser has said so.
    const left = page.waitForEvent('framenavigated', (frame) => frame.url().startsWith('chrome-error:'));
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const tokens = await client.exchange((await answered).url(), begun);
    expect(tokens).toMatchObject({ scope: 'chats:read' });
    await left;
  });

  it('are in German, and have a way on from an address without a page', async () => {
    const account = workspace.admin.accountId;
    await database.database.identity.accounts.update(account, { locale: 'de-DE', timezone: 'Europe/Berlin' });
    for (const [path, title] of [
      ['/home', 'home-de'],
      ['/settings/api-keys/new', 'new-key-de'],
      ['/settings/sessions', 'sessions-de'],
      ['/settings/applications', 'apps-de'],
    ] as const) {
      await page.goto(api.baseUrl + path);
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      expect(await look(title)).toEqual([]);
    }
    await page.goto(`${api.baseUrl}/settings/nope`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await look('not-found')).toEqual([]);
  });

  it('unsubscribe from emails, also by a link that does not work', async () => {
    const inbox = await addInbox(workspace, { fromName: 'Field desk' });
    const stage = await stageEmails(workspace, new MovedClock(), { inbox });
    const queued = await stage.say('Are you there?');
    if (typeof queued === 'string') throw new Error(queued);
    const link = `${api.baseUrl}/api/v2${workspace.path('/unsubscribe/')}`;
    await page.goto(link + (queued.email.unsubscribeToken ?? ''));
    expect(await look('unsubscribe')).toEqual([]);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(await look('unsubscribed')).toEqual([]);
    await page.goto(`${link}${'a'.repeat(26)}`);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect(await look('unsubscribe-old')).toEqual([]);
  });

  it('complain of nothing', () => {
    // The browser could not reach the app's own address, where nothing listens, and was told what was wrong.
    const expected = /ERR_(UNSAFE_PORT|CONNECTION_REFUSED)|status of 4(00|04)/;
    expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
  });
});
