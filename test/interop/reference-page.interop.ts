import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPrefix } from '../../api/http/app.js';
import { openApiDocument } from '../../api/http/openapi.js';
import { routes } from '../../api/resources/index.js';
import { startChromium } from '../../tools/screenshots/chromium.js';
import { callAs } from '../support/api/call-as.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';

/** The page with its script, style and icon, compressed. The largest part is its text: some 550 bytes for each operation. */
const maxBytes = 230_000;

let system: TestSystem;
let workspace: TestWorkspace;
let browser: Browser;
let page: Page;
let address: string;
/** Everything that the browser complains about. */
const complaints: string[] = [];

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem({ worker: false }), startChromium()]);
  workspace = await createWorkspace(system.database);
  address = `${system.api.baseUrl}${apiPrefix}/docs`;
  page = await newPage({ width: 1400, height: 1000 });
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

async function newPage(viewport: { width: number; height: number }, colorScheme: 'light' | 'dark' = 'light') {
  const opened = await browser.newPage({ viewport, colorScheme });
  opened.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(error.message));
  return opened;
}

const form = (operationId: string) => page.locator(`form[aria-label="Try ${operationId}"]`);
const send = (operationId: string) => form(operationId).getByRole('button', { name: 'Send' }).click();
const status = (operationId: string) =>
  page.locator(`form[aria-label="Try ${operationId}"] + .output [role=status]`);
const answer = (operationId: string) =>
  page.getByRole('region', { name: `Answer of ${operationId}`, exact: true });

/** Takes out the complaint of a refusal that a test has provoked; it comes when the browser likes. */
async function refusalIsTold(statusCode: number): Promise<void> {
  const place = await waitFor(`the browser complains of ${statusCode}`, () => {
    const found = complaints.findIndex((text) => text.includes(`status of ${statusCode}`));
    return found === -1 ? undefined : { found };
  });
  complaints.splice(place.found, 1);
}

describe('the reference page in a browser', () => {
  it('loads little, and from the service alone', async () => {
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const hosts = new Set<string>();
    let bytes = 0;
    network.on('Network.requestWillBeSent', ({ request }) => hosts.add(new URL(request.url).origin));
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    expect([...hosts]).toEqual([system.api.baseUrl]);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(maxBytes);
  });

  it.each([
    ['/w/{workspace_uuid}/phone-numbers'],
    ['receiveDataRecordCreated'],
    ['idempotency_answer_not_kept'],
    ['X-Webhook-Signature'],
    ['tokenUsage'],
  ])('shows %s to the search of the browser', async (text) => {
    const isFound = await page.evaluate(`getSelection().removeAllRanges(); find(${JSON.stringify(text)})`);
    expect(isFound).toBe(true);
  });

  it('filters by all words of an operation', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('phone-numbers delete');
    const deletion = page.locator('[id="/Phone%20numbers/deletePhoneNumber"]');
    const creation = page.locator('[id="/Members/createMember"]');
    await creation.waitFor({ state: 'hidden' });
    expect(await deletion.isVisible()).toBe(true);
    expect(await page.locator('nav li li:visible').count()).toBeLessThan(10);

    await page.goto(`${address}#/Members/createMember`);
    await creation.waitFor({ state: 'visible' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('is led to an operation by a link', async () => {
    await page.goto(`${address}#/Data%20types/createDataType`);
    const heading = page.locator('[id="/Data%20types/createDataType"] h3');
    await waitFor('the operation is at the top', async () => {
      const { y = 0 } = (await heading.boundingBox()) ?? {};
      return y > 100 && y < 200;
    });
  });

  it('prefills each request with its example in the document', async () => {
    const document = openApiDocument(routes);
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const { content } = (operation.requestBody ?? {}) as {
        content?: Record<string, { example?: unknown }>;
      };
      const example = content?.['application/json']?.example;
      if (example === undefined) continue;
      const body = form(operation.operationId).locator('textarea.body');
      expect(await body.inputValue(), operation.operationId).toBe(JSON.stringify(example, null, 2));
    }
  });

  it('lists what has the words in its title first', async () => {
    await page.getByRole('searchbox').fill('data type');
    const hits = page.getByRole('list', { name: 'Best matches' }).getByRole('link');
    expect((await hits.allTextContents()).slice(0, 3)).toEqual(
      expect.arrayContaining(['List data types', 'Create a data type']),
    );
    await page.getByRole('searchbox').fill('no_choice_holds');
    await waitFor('groups without a match are hidden', async () => {
      return (await page.locator('nav details > ul > li:visible').count()) < 8;
    });
    expect(await hits.count()).toBeGreaterThan(0);
    await page.getByRole('searchbox').fill('');
  });

  it('says what is missing instead of sending to no workspace', async () => {
    await send('getWorkspace');
    await status('getWorkspace')
      .getByText(/^Not sent: enter an API key/)
      .waitFor();
  });

  it('accepts a key, finds its workspace, and remembers both', async () => {
    await page.getByLabel('API key').fill('wes_wrong');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText(/^401: /).waitFor();
    await refusalIsTold(401);
    await page.getByLabel('API key').fill(workspace.admin.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText(/^Accepted\./).waitFor();
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe(workspace.admin.apiKey);
    expect(await page.getByLabel('Workspace', { exact: true }).inputValue()).toBe(workspace.workspaceUuid);
  });

  it('sends requests as they are prefilled', async () => {
    for (const [operationId, wanted] of [
      ['listMembers', '200'],
      ['createMemberLabel', '201'],
    ] as const) {
      await send(operationId);
      await status(operationId).getByText(/^\d/).waitFor();
      expect(await status(operationId).textContent()).toContain(wanted);
    }
    await answer('listMembers').getByText('"totalPages": 1').waitFor();
  });

  it('sends requests as they are changed, and shows refusals', async () => {
    const body = form('createMember').locator('textarea.body');
    await body.fill('{"name": "Alex Sample <b>"}');
    await send('createMember');
    await status('createMember').getByText(/^201/).waitFor();
    await answer('createMember').getByText('"name": "Alex Sample <b>"').waitFor();
    await body.fill('{"nmae": 1}');
    await send('createMember');
    await status('createMember').getByText(/^400/).waitFor();
    await answer('createMember').getByText('validation_failed').waitFor();
    await refusalIsTold(400);
    const request = page.getByRole('region', { name: 'Request of createMember', exact: true });
    expect(await request.textContent()).toContain('-H "Authorization: Bearer $KEY"');
  });

  it('uploads a file that is written as text', async () => {
    await form('importMembers').getByLabel('or its text').fill('name,external_id\nRobin Sample,r-1\n');
    await send('importMembers');
    await status('importMembers').getByText(/^200/).waitFor();
    await answer('importMembers').getByText('"created":1').waitFor();
  });

  it('follows a stream, and stops it', async () => {
    const asAdmin = callAs(system.api, workspace, workspace.admin);
    const { body: chat } = await asAdmin('POST', '/chats', { channel: 'web-chat' });
    await form('followChat').getByLabel('chat_id').fill(String(chat.id));
    await send('followChat');
    await answer('followChat').getByText('event: chat.snapshot').waitFor();
    await asAdmin('POST', `/chats/${chat.id}/messages`, { content: 'Seen as it happens' });
    await answer('followChat').getByText('Seen as it happens').waitFor();
    await form('followChat').getByRole('button', { name: 'Stop' }).click();
    await status('followChat')
      .getByText(/stopped\.$/)
      .waitFor();
  });

  it('sends the request of every form', async () => {
    const other = await newPage({ width: 1400, height: 1000 });
    await other.goto(address);
    const sent = new Set<string>();
    await other.route('**/api/v2/**', (route) => {
      sent.add(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
      return route.fulfill({ status: 204 });
    });
    await other.evaluate(`
      document.querySelector('#workspace').value = 'of-the-test';
      for (const input of document.querySelectorAll('.try [data-in=path]')) input.value ||= '1';
      for (const form of document.querySelectorAll('.try')) form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    `);
    const forms = await other.locator('form.try').count();
    await waitFor('every form has sent its request', async () => sent.size >= forms);
    // The last requests may not be answered yet.
    await other.unrouteAll({ behavior: 'wait' });
    await other.close();
  });

  it('forgets the key', async () => {
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
  });

  it.each([
    ['wide', { width: 1400, height: 1000 }, 'light'],
    ['narrow', { width: 390, height: 844 }, 'dark'],
  ] as const)('is accessible, on a %s screen', async (_, viewport, colorScheme) => {
    const other = await newPage(viewport, colorScheme);
    await other.goto(address);
    await other.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8'));
    const violations = await other.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
    );
    expect(violations).toEqual([]);
    const overflow = await other.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await other.close();
  });

  it('gives the browser nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
