import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../../tools/screenshots/chromium.js';
import { loginCodeOf } from '../support/api/login.js';
import { TestOAuthClient } from '../support/api/oauth-client.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';

/** Kept after the test, to look at. */
const pictures = '.artifacts/pages';
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let system: TestSystem;
let workspace: TestWorkspace;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  [system, browser] = await Promise.all([startSystem({ worker: false }), startChromium()]);
  workspace = await createWorkspace(system.database);
  // The policy of the pages runs no script: axe is allowed in past it.
  context = await browser.newContext({ bypassCSP: true, viewport: { width: 1000, height: 900 } });
  page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

/** What axe finds, in light and dark; keeps a picture. */
async function look(name: string): Promise<unknown[]> {
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  const found: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.addScriptTag({ path: axe });
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    found.push(...violations.map(({ id, nodes }) => ({ name, colorScheme, id, html: nodes[0]?.html })));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

async function signIn(): Promise<void> {
  const account = await system.database.identity.accounts.findById(workspace.admin.accountId);
  await page.getByLabel('Email or phone number').fill(account?.email ?? '');
  await page.getByRole('button', { name: 'Send a code' }).click();
  const uuid = await page.locator('input[name=uuid]').inputValue();
  expect(await look('code')).toEqual([]);
  await page.getByLabel('Code').fill(await loginCodeOf(system.api, uuid));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('the pages in a browser', () => {
  it('let a person sign in and manage keys, apps and sessions, by keyboard and screen reader', async () => {
    await page.goto(`${system.api.baseUrl}/settings/api-keys`);
    expect(await look('sign-in')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with your organization' }).press('Enter');
    await page.getByLabel('Short name of the organization').waitFor();
    expect(await look('sign-in-organization')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in by a code instead' }).press('Enter');
    await signIn();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByRole('link', { name: 'Create a key' }).press('Enter');
    await page.getByLabel('Name').fill('Reporting');
    await page.getByLabel('chats:read').press('Space');
    expect(await look('new-key')).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).press('Enter');
    await page.getByRole('heading', { name: 'Copy the key now' }).waitFor();
    expect(await look('key')).toEqual([]);
    const secret = await page.locator('.secret').innerText();
    const chats = await fetch(`${system.api.baseUrl}/api/v2${workspace.path('/chats')}`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(chats.status).toBe(200);
    for (const [name, title] of [
      ['API keys', 'keys'],
      ['Connected apps', 'connections'],
      ['Sessions', 'sessions'],
      ['Account', 'account'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(await look(title)).toEqual([]);
    }
  });

  it('let an app in: consent by a form whose redirect the browser follows', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Apps', exact: true }).click();
    await page.getByRole('link', { name: 'Create an app' }).click();
    await page.getByLabel('Name').fill('Desk client');
    // Nothing listens there: the address that the browser is sent to tells the answer.
    const redirectUri = 'http://127.0.0.1:9/callback';
    await page.getByLabel('Redirect URIs').fill(redirectUri);
    await page.getByLabel('On people’s devices').check();
    await page.getByLabel('chats:read').check();
    expect(await look('new-app')).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    const clientId = await page.locator('.secret').first().innerText();
    expect(await look('app-created')).toEqual([]);
    const client = new TestOAuthClient(system.api, { clientId, redirectUri });
    const begun = await client.begin();
    await page.goto(system.api.baseUrl + begun.path);
    await page.getByRole('heading', { name: 'Connect Desk client' }).waitFor();
    expect(await look('consent')).toEqual([]);
    const answered = page.waitForRequest((request) => request.url().startsWith(redirectUri));
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const tokens = await client.exchange((await answered).url(), begun);
    expect(tokens).toMatchObject({ scope: 'chats:read' });
  });

  it('complain of nothing', () => {
    // The browser could not reach the app's own address, where nothing listens.
    expect(complaints.filter((text) => !/ERR_(UNSAFE_PORT|CONNECTION_REFUSED)/.test(text))).toEqual([]);
  });
});
