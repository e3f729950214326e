import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startChromium } from '../../tools/screenshots/chromium.js';
import { openStream } from '../support/api/event-stream.js';
import { loginCodeOf } from '../support/api/login.js';
import { type HostPage, serveHostPage } from '../support/sites/host-page.js';
import { addChatSite, type ChatSite } from '../support/sites/site-chat.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { uniqueEmail } from '../support/workspace/factories.js';

/** Kept after the test, to look at. */
const pictures = '.artifacts/widget';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let system: TestSystem;
let workspace: SmsWorkspace;
let browser: Browser;
let host: HostPage;
let site: ChatSite;
let context: BrowserContext;
let page: Page;
/** What the consoles of the pages say. */
const complaints: string[] = [];
/** What the page of a test is to complain of. A complaint comes after what it is about, when the browser likes. */
let provoked: RegExp | undefined;
/** Complaints of requests that fail, and of those that are refused. */
const notReached = /Failed to load resource: net::ERR_|Failed to fetch|blocked by CORS policy/;
const refused = /Failed to load resource: the server responded with a status of 4\d\d/;
const refusedOrNotReached = new RegExp(`${refused.source}|${notReached.source}`);

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  [system, browser] = await Promise.all([startSystem(), startChromium()]);
  workspace = await createSmsWorkspace(system);
  host = await serveHostPage(() => ({
    siteUuid: site.uuid,
    workspaceUuid: workspace.workspaceUuid,
    publicUrl: system.api.baseUrl,
  }));
  const allowed = await asAdmin('PUT', '', { allowedOrigins: [host.origin] });
  expect(allowed.status).toBe(200);
});
afterAll(async () => {
  await browser?.close();
  await host?.close();
  await system?.stop();
});

beforeEach(async () => {
  provoked = undefined;
  await system.model.unscript();
  await system.model.turn({ tokenDelayMs: 0 });
  site = await addChatSite(system.api, workspace, { chatGreeting: 'How can we help you?' });
  context = await browser.newContext({ viewport: { width: 900, height: 800 } });
  page = await open();
});
afterEach(async () => {
  await context.close();
  expect(complaints.splice(0).filter((complaint) => !provoked?.test(complaint))).toEqual([]);
});

const asAdmin = (method: string, path: string, body?: object) =>
  system.api.request(method, workspace.path(path), { apiKey: workspace.admin.apiKey, body });

async function open(): Promise<Page> {
  const opened = await context.newPage();
  opened.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(error.message));
  await opened.goto(host.origin);
  // A page that is left while it asks for the settings of the chat complains.
  await launcher(opened).waitFor();
  return opened;
}

const launcher = (on = page) => on.getByRole('button', { name: /^Chat/ });
const dialog = (on = page) => on.getByRole('dialog', { name: /^Chat with Site/ });
const input = (on = page) => dialog(on).getByLabel('Your message');
const log = (on = page) => dialog(on).getByRole('log', { name: 'Messages' });

async function say(text: string, on = page): Promise<void> {
  await input(on).fill(text);
  await input(on).press('Enter');
  await log(on).locator('.own:not(.sending)').getByText(text, { exact: true }).waitFor();
}

class Signal {
  give = () => {};
  readonly given = new Promise<void>((resolve) => {
    this.give = resolve;
  });
}

/** An end of the chat is told to the visitor who writes, unless the stream has found it before: it finds nothing more. */
const keepStreamFromNoticing = () =>
  page.route('**/chat/events', (route) => route.abort().catch(whereThePageIsGone));
const whereThePageIsGone = () => undefined;

/** What axe finds, in light and dark; keeps a picture. */
async function look(name: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` });
    await page.evaluate(axe);
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    found.push(...violations.map(({ id, nodes }) => ({ name, colorScheme, id, html: nodes[0]?.html })));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

const focused = async () =>
  String(
    await page.evaluate(`(() => {
      const inner = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
      return inner.getAttribute('aria-label') || inner.id || inner.textContent;
    })()`),
  );

async function chatRow() {
  const { body } = await asAdmin('GET', '/chats');
  return body.items.find((chat: { siteId: number }) => chat.siteId === site.id);
}

const ofColleague = 'A colleague has written meanwhile.';

async function writeAsColleague(chatId: number): Promise<void> {
  await system.database.inWorkspace(workspace.workspaceId, (tx) =>
    tx('messages').insert({
      workspace_id: workspace.workspaceId,
      chat_id: chatId,
      role: 'assistant',
      author: 'person',
      content: JSON.stringify(ofColleague),
    }),
  );
}

describe('the chat on a page of others', () => {
  it('is usable at once, by keyboard and with a screen reader', async () => {
    // Nothing else has to come first, whatever the machine; how long that takes is a figure of the bench.
    const asked = (await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name)`,
    )) as string[];
    const ofService = asked.filter((address) => address.startsWith(system.api.baseUrl));
    expect(ofService.filter((address) => !address.endsWith('.js'))).toEqual([
      `${system.api.baseUrl}/api/v2/s/${workspace.workspaceUuid}/${site.uuid}/chat`,
    ]);
    expect(await look('closed')).toEqual([]);

    await launcher().focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await focused()).toBe('text');
    await log().getByText('How can we help you?').waitFor();
    expect(await look('begin')).toEqual([]);

    const seen = new Set<string>();
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab');
      seen.add(await focused());
    }
    // The page below takes no part while the dialog is open.
    expect([...seen].filter((name) => /^the page$|^Chat$/.test(name))).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining(['Close the chat', 'Messages', 'text', 'Send']));

    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    expect(await focused()).toMatch(/^Chat/);
  });

  it('shows an answer while it is written, and is there again after a reload', async () => {
    await system.model.script([
      { content: 'We are open **on Saturday** from [nine](https://clinic.example/hours) on.' },
    ]);
    await system.model.turn({ tokenDelayMs: 40 });
    await launcher().click();
    await say('When are you open?');
    await dialog().getByText('We are open', { exact: false }).first().waitFor();
    const answer = log().getByRole('link', { name: 'nine' });
    await answer.waitFor();
    expect(await answer.getAttribute('href')).toBe('https://clinic.example/hours');
    expect(await look('answered')).toEqual([]);

    await page.reload();
    await dialog().waitFor();
    await log().getByText('When are you open?').waitFor();
    await log().getByText('on Saturday').waitFor();
  });

  it('runs nothing that anybody has written', async () => {
    const payload =
      '<img src=x onerror="window.ran=1"> <script>window.ran=1</script> [x](javascript:window.ran=1) [y](data:text/html,z)';
    await system.model.script([{ content: payload }]);
    await launcher().click();
    await say(payload);
    await log().locator('.message:not(.own):not([aria-hidden])').nth(1).waitFor();
    await log().getByText('onerror', { exact: false }).last().waitFor();
    expect(await page.evaluate(`'ran' in window`)).toBe(false);
    expect(await log().locator('img, script, a').count()).toBe(0);
  });

  it('is one chat in two tabs of a browser', async () => {
    const second = await open();
    await launcher().click();
    await launcher(second).click();
    await Promise.all([say('From the first'), say('From the second', second)]);
    for (const tab of [page, second]) {
      await log(tab).getByText('From the first').waitFor();
      await log(tab).getByText('From the second').waitFor();
    }
    const { body } = await asAdmin('GET', '/chats');
    expect(body.items.filter((chat: { siteId: number }) => chat.siteId === site.id)).toHaveLength(1);

    await second.bringToFront();
    await dialog(second).getByRole('button', { name: 'End and forget this chat' }).click();
    await dialog(second).getByRole('button', { name: 'End it' }).click();
    await log(second).getByText('From the first').waitFor({ state: 'detached' });
    await log().getByText('From the first').waitFor({ state: 'detached' });
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('goes on after the connection was cut, and sends what was written meanwhile', async () => {
    await launcher().click();
    await say('Hello');
    const { id } = await chatRow();
    provoked = notReached;
    await context.setOffline(true);
    await input().fill('Written without a connection');
    await input().press('Enter');
    await dialog().getByText('Not sent.').waitFor();
    await dialog().getByText('No connection.', { exact: false }).waitFor();
    await writeAsColleague(id);
    await context.setOffline(false);
    await log().getByText(ofColleague).waitFor();
    await dialog().getByRole('button', { name: 'Send again' }).click();
    await log().locator('.own:not(.sending)').getByText('Written without a connection').waitFor();
    await dialog().getByText('Not sent.').waitFor({ state: 'hidden' });
    const { body } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const sent = body.filter(
      ({ content }: { content: unknown }) => content === 'Written without a connection',
    );
    expect(sent).toHaveLength(1);
  });

  it('shows what was said in its order, although an answer comes before what was read', async () => {
    await launcher().click();
    await say('Hello');
    await log().locator('.message:not(.own):not([aria-hidden])').nth(1).waitFor();
    const { id } = await chatRow();
    const [read, mayBeShown] = [new Signal(), new Signal()];
    await page.route('**/chat/messages?*', async (route) => {
      const response = await route.fetch();
      read.give();
      await mayBeShown.given;
      await route.fulfill({ response }).catch(whereThePageIsGone);
    });
    await page.reload();
    await read.given;
    await writeAsColleague(id);
    await log().getByText(ofColleague).waitFor();
    mayBeShown.give();
    await log().getByText('Hello', { exact: true }).waitFor();
    const shown = await log().locator('.message[data-id]').allInnerTexts();
    expect(shown).toEqual([
      expect.stringContaining('Hello'),
      expect.stringContaining('Assistant:'),
      expect.stringContaining(ofColleague),
    ]);
  });

  it('sends files once the chat has begun, and says why others are refused', async () => {
    const mayOpen = new Signal();
    await page.route('**/chat/events', (route) =>
      mayOpen.given.then(() => route.continue()).catch(whereThePageIsGone),
    );
    await launcher().click();
    const attach = dialog().getByRole('button', { name: 'Attach files' });
    expect(await attach.isDisabled()).toBe(true);
    await say('I have a picture.');
    await expect.poll(() => attach.isDisabled()).toBe(false);
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      dialog().locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await choose('letter.docx', 'application/vnd.x', Buffer.from('x'));
    const ofOtherKind = dialog().getByText('letter.docx is of a kind', { exact: false });
    await ofOtherKind.waitFor();
    // The stream opens meanwhile: what the widget says of the connection replaces nothing else.
    mayOpen.give();
    await log().locator('.message:not(.own):not([aria-hidden])').nth(1).waitFor();
    expect(await ofOtherKind.isVisible()).toBe(true);
    await choose('large.png', 'image/png', Buffer.alloc(6 * 1_048_576));
    await dialog().getByText('large.png is larger than 5 MB.').waitFor();
    await choose('notes.txt', 'text/plain', Buffer.from('No medicines.'));
    await dialog().getByRole('button', { name: 'Remove notes.txt' }).waitFor();
    expect(await look('attached')).toEqual([]);
    await input().fill('Here it is.');
    await dialog().getByRole('button', { name: 'Send' }).click();
    await log().locator('.own:not(.sending)').getByText('notes.txt').waitFor();
    const { id } = await chatRow();
    const { body } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const stored = body.find(({ content }: { content: unknown }) => content === 'Here it is.');
    expect(stored.files).toMatchObject([{ status: 'stored', filename: 'notes.txt', mimeType: 'text/plain' }]);
  });

  it('asks how it was once it is concluded, and begins another chat', async () => {
    await launcher().click();
    await say('Hello');
    await log().locator('.message:not(.own):not([aria-hidden])').nth(1).waitFor();
    const { id, assignmentId } = await chatRow();
    const cancelled = await asAdmin('POST', `/assignments/${assignmentId}/cancel`, { reason: 'settled' });
    expect(cancelled.status).toBe(200);
    await dialog().getByText('This chat is done. Was it helpful?').waitFor();
    await dialog().getByRole('button', { name: 'No' }).click();
    await dialog().getByLabel('What was good or bad', { exact: false }).fill('Too short.');
    expect(await look('rating')).toEqual([]);
    await dialog().getByRole('button', { name: 'Send rating' }).click();
    await dialog().getByText('Thank you.').waitFor();
    const { body } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const rated = body.filter(({ userRating }: { userRating?: number }) => userRating !== undefined);
    expect(rated).toMatchObject([{ role: 'assistant', userRating: 0, userRatingComment: 'Too short.' }]);

    await dialog().getByRole('button', { name: 'Start a new chat' }).click();
    await say('Another question');
    await expect
      .poll(async () => {
        const chats = (await asAdmin('GET', '/chats')).body.items;
        return chats.filter((chat: { siteId: number }) => chat.siteId === site.id).length;
      })
      .toBe(2);
    expect(await log().getByText('Hello', { exact: true }).count()).toBe(0);
  });

  it('keeps what was written for a chat that has ended meanwhile', async () => {
    await launcher().click();
    await say('Hello');
    // The stream is open once an answer has come.
    await log().locator('.message:not(.own):not([aria-hidden])').nth(1).waitFor();
    provoked = refusedOrNotReached;
    await keepStreamFromNoticing();
    await system.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('identity.site_visitors').where({ site_id: site.id }).update({ ended_at: new Date() }),
    );
    await input().fill('One more question');
    await input().press('Enter');
    await dialog().getByText('The chat has ended.', { exact: false }).waitFor();
    expect(await input().inputValue()).toBe('One more question');
    expect(await log().getByText('Hello', { exact: true }).count()).toBe(0);
    await dialog().getByRole('button', { name: 'Send' }).click();
    await log().locator('.own:not(.sending)').getByText('One more question').waitFor();
  });

  it('shows that an answer is being written, and tells the team that the visitor writes', async () => {
    await launcher().click();
    await say('Hello');
    await log().locator('.message:not(.own):not([aria-hidden])').nth(1).waitFor();
    const { id } = await chatRow();
    const team = await openStream(system.api.baseUrl, workspace.path(`/chats/${id}/events`), {
      apiKey: workspace.admin.apiKey,
    });
    await team.seen('where the chat stands', ({ event }) => event === 'chat.snapshot');
    await system.model.script([{ hold: true, content: 'At nine.' }]);
    await input().pressSequentially('When do you open?');
    await team.seen('the visitor typing', ({ event, data }) => event === 'typing' && data.role === 'user');
    await input().press('Enter');
    await dialog().getByText('An answer is being written').waitFor();
    await system.model.held();
    await system.model.release();
    await log().getByText('At nine.').waitFor();
    await dialog().getByText('An answer is being written').waitFor({ state: 'hidden' });
    await team.close();
  });

  it('is over when the team erases the visitor while the chat is open', async () => {
    await launcher().click();
    await say('My name is Ana.');
    await log().locator('.message:not(.own):not([aria-hidden])').nth(1).waitFor();
    const { participants } = await chatRow();
    const { memberId } = participants.find(({ role }: { role: string }) => role === 'user');
    provoked = refusedOrNotReached;
    await keepStreamFromNoticing();
    const erased = await asAdmin('POST', `/members/${memberId}/erase`, { confirm: String(memberId) });
    expect(erased.status).toBeLessThan(300);
    await expect
      .poll(async () => (await asAdmin('GET', `/members/${memberId}/erase`)).body.state)
      .toBe('erased');
    await input().fill('Are you there?');
    await input().press('Enter');
    await dialog().getByText('The chat has ended.', { exact: false }).waitFor();
    expect(await log().getByText('My name is Ana.').count()).toBe(0);
  });

  it('is not there on a page whose origin the workspace does not allow', async () => {
    const foreign = await serveHostPage(() => ({
      siteUuid: site.uuid,
      workspaceUuid: workspace.workspaceUuid,
      publicUrl: system.api.baseUrl,
    }));
    provoked = notReached;
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/chat'));
    await page.goto(foreign.origin);
    await failed;
    expect(await launcher().count()).toBe(0);
    await foreign.close();
  });
});

describe('a chat with an assistant alone', () => {
  it('is answered, and rated by whoever ends it', async () => {
    const body = { defaultWorkflowId: null, defaultAssistantMemberId: workspace.assistantMemberId };
    site = await addChatSite(system.api, workspace, body);
    await page.reload();
    await system.model.script([{ content: 'Yes, until noon.' }]);
    await launcher().click();
    await say('Are you open on Saturday?');
    // What is being written is no answer yet that could be rated.
    await log().locator('.message:not([aria-hidden])').getByText('Yes, until noon.').waitFor();
    const { id, assignmentId } = await chatRow();
    expect(assignmentId).toBeNull();

    await dialog().getByRole('button', { name: 'End and forget this chat' }).press('Enter');
    await dialog().getByRole('group', { name: 'Was it helpful? (optional)' }).waitFor();
    await dialog().getByRole('button', { name: 'Yes' }).press('Enter');
    await dialog().getByLabel('What was good or bad', { exact: false }).fill('Quick.');
    expect(await look('leaving')).toEqual([]);
    await dialog().getByRole('button', { name: 'End it' }).press('Enter');
    await log().getByText('Yes, until noon.').waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await asAdmin('GET', `/chats/${id}/messages?limit=100`)).body)
      .toContainEqual(expect.objectContaining({ content: expect.stringContaining('The visitor has ended') }));
    const { body: messages } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const rated = messages.filter(({ userRating }: { userRating?: number }) => userRating !== undefined);
    expect(rated).toMatchObject([
      { content: 'Yes, until noon.', userRating: 1, userRatingComment: 'Quick.' },
    ]);
  });
});

describe('signing up in the chat', () => {
  it('is possible on pages of the service, by a click, and takes the chat along', async () => {
    const email = uniqueEmail();
    await system.database.identity.accounts.create({ email, name: 'Ana Ruiz' });
    site = await addChatSite(system.api, workspace, { allowSignup: true });
    await page.goto(`${system.api.baseUrl}/s/${site.uuid}/`);
    await launcher().click();
    const join = dialog().getByRole('button', { name: 'Keep this chat in my account' });
    expect(await join.isVisible()).toBe(false);
    await say('Hello');
    provoked = refused;
    await join.press('Enter');
    await dialog().getByText('You become a member of', { exact: false }).waitFor();
    expect(await look('sign-up')).toEqual([]);
    await dialog().getByRole('button', { name: 'Sign up' }).press('Enter');

    await page.getByLabel('Email or phone number').fill(email);
    await page.getByRole('button', { name: 'Send a code' }).click();
    const uuid = await page.locator('input[name=uuid]').inputValue();
    await page.getByLabel('Code').fill(await loginCodeOf(system.api, uuid));
    await page.getByRole('button', { name: 'Sign in' }).click();

    // It is asked again: coming from somewhere makes nobody a member.
    await dialog().getByText('You become a member of', { exact: false }).waitFor();
    await dialog().getByRole('button', { name: 'Sign up' }).press('Enter');
    await dialog().getByText('You are a member now.', { exact: false }).waitFor();
    expect(await look('signed-up')).toEqual([]);
    const { body: found } = await asAdmin('GET', `/members?search=${encodeURIComponent(email)}`);
    expect(found.items).toMatchObject([{ name: 'Ana Ruiz', email }]);
    await say('Now I am somebody');
    const { body: chats } = await asAdmin('GET', '/chats');
    const own = chats.items.filter((chat: { siteId: number }) => chat.siteId === site.id);
    expect(own).toHaveLength(1);
    expect(own[0].participants).toContainEqual(expect.objectContaining({ memberId: found.items[0].id }));

    await page.reload();
    await log().getByText('Now I am somebody').waitFor();
    expect(await join.isVisible()).toBe(false);
  });

  it('is not offered where nobody can, or on a page of another origin', async () => {
    const closed = await addChatSite(system.api, workspace, { allowSignup: false });
    await page.goto(`${system.api.baseUrl}/s/${closed.uuid}/`);
    await launcher().click();
    await say('Hello');
    expect(await dialog().getByRole('button', { name: 'Keep this chat' }).count()).toBe(0);
    site = await addChatSite(system.api, workspace, { allowSignup: true });
    await page.goto(host.origin);
    await launcher().click();
    await say('Hello');
    expect(await dialog().getByRole('button', { name: 'Keep this chat' }).count()).toBe(0);
  });
});
