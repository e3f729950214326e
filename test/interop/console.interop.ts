import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
const row = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(name) });
const answerField = (page: Page) => page.getByLabel('Your answer');

/** A member whose chat waits for a person. */
async function waitingChat(name: string, text = 'Are you open on Saturday?') {
  const chat = await tests.workspace.openChat(await tests.workspace.addTexter(name));
  await tests.workspace.asAdmin('PUT', `/chats/${chat.chatId}`, { paused: true });
  await chat.write(text);
  return chat;
}

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  `);

describe('the home page', () => {
  it('leads to the lists, and shows what is known while it cannot be read again', async () => {
    tests.provoked = /status of 403/;
    const page = await tests.open(tests.workspace.admin, `/console/w/${tests.workspace.workspaceUuid}`);
    await page.getByText('Active assignments').waitFor();
    await page.route('**/overview', (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }));
    await hide(page, true);
    await hide(page, false);
    await page.getByText('Not now.').waitFor();
    await page.getByRole('link', { name: 'Active assignments' }).click();
    await page.waitForURL('**/runs?status=active');
  });
});

describe('the inbox', () => {
  it('shows who waits, and a person answers with three keys', async () => {
    const chat = await waitingChat('Robin Sample');
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await row(page, 'Robin Sample').waitFor();
    expect(await tests.look(page, 'inbox')).toEqual([]);

    await page.keyboard.press('o');
    await log(page).getByText('Are you open on Saturday?').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.insertText('Yes, from nine on.');
    await page.keyboard.press('Enter');
    await log(page).getByText('Yes, from nine on.').waitFor();
    await log(page).getByText('Delivered ✓✓').waitFor();
    await page.getByText('Nobody waits for an answer.').waitFor();
    expect(await answerField(page).inputValue()).toBe('');
    expect(await chat.carried()).toContain('Yes, from nine on.');
    expect(await tests.look(page, 'chat')).toEqual([]);
  });

  it('is kept up to date without being asked for', async () => {
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await page.getByText('Nobody waits for an answer.').waitFor();
    const chat = await waitingChat('Kim Sample', 'Hello');
    await row(page, 'Kim Sample').click();
    await log(page).getByText('Hello').waitFor();
    await chat.write('It is <b>urgent</b>');
    await log(page).getByText('It is <b>urgent</b>').waitFor();
    await chat.post('We are on our way.');
    await log(page).getByText('We are on our way.').waitFor();
  });

  it('shows a colleague that another one answers', async () => {
    const role = { permissions: ['chats:read', 'chats:write', 'chats:admin', 'members:read'] };
    const colleague = await addMember(tests.workspace, { ...role, values: { name: 'Dana Sample' } });
    await waitingChat('Lee Sample');
    const [page, other] = [
      await tests.open(tests.workspace.admin, tests.inbox),
      await tests.open(colleague, tests.inbox),
    ];
    await row(page, 'Lee Sample').click();
    await row(other, 'Lee Sample').click();
    await other.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('A colleague has claimed this chat.').waitFor();
    await answerField(other).pressSequentially('I am');
    await page.getByText('Dana Sample is writing an answer.').waitFor();
  });

  it('keeps what is written over a reload, and a failed answer until it is sent', async () => {
    tests.provoked = /status of 503/;
    await waitingChat('Noa Sample');
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await row(page, 'Noa Sample').click();
    await answerField(page).fill('We call you');
    await page.reload();
    await expect.poll(() => answerField(page).inputValue()).toBe('We call you');

    await page.route('**/send-assistant-message', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Later.' } }),
    );
    await answerField(page).press('Enter');
    await page.getByText('It is not known whether this was sent.').waitFor();
    expect(await answerField(page).inputValue()).toBe('We call you');
    await page.unroute('**/send-assistant-message');
    await answerField(page).press('Enter');
    await log(page).getByText('We call you').waitFor();
  });

  it('follows a chat again whose stream was refused', async () => {
    tests.provoked = /status of 503/;
    const chat = await waitingChat('Ida Sample', 'Hello?');
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await page.route('**/chats/*/events', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await row(page, 'Ida Sample').click();
    await log(page).getByText('Hello?').waitFor();
    await chat.write('Is anybody there?');
    await log(page).getByText('Is anybody there?').waitFor();
  });

  it('attaches files to an answer', async () => {
    await waitingChat('Eli Sample');
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await row(page, 'Eli Sample').click();
    const file = { name: 'hours.txt', mimeType: 'text/plain', buffer: Buffer.from('From nine to five') };
    await page.getByLabel('Attach files').setInputFiles(file);
    await page.getByText('hours.txt').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove hours.txt' }).click();
    expect(await page.getByText('hours.txt').count()).toBe(0);
  });

  it('gives a chat back to the agent with a note', async () => {
    const chat = await waitingChat('Uma Sample');
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await row(page, 'Uma Sample').click();
    await page.getByRole('button', { name: 'Give back to the agent' }).click();
    await page.getByLabel('Note for the agent').fill('She wants Friday.');
    await page.getByRole('dialog').getByRole('button', { name: 'Give back to the agent' }).click();
    await page.getByText('Returned to the agent: She wants Friday.').waitFor();
    await expect.poll(async () => (await chat.chat()).paused).toBe(false);
  });

  it('takes a note for colleagues, which is not sent to the member', async () => {
    const role = { permissions: ['chats:read', 'chats:write', 'members:read'] };
    const colleague = await addMember(tests.workspace, { ...role, values: { name: 'Ash Sample' } });
    const chat = await waitingChat('Ola Sample');
    const [page, other] = [
      await tests.open(tests.workspace.admin, tests.inbox),
      await tests.open(colleague, tests.inbox),
    ];
    await row(page, 'Ola Sample').click();
    await row(other, 'Ola Sample').click();
    await answerField(page).fill('Please wait.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.keyboard.insertText('Her daughter calls back.');
    await page.reload();
    await log(page).waitFor();
    await page.keyboard.press('n');
    const note = page.getByLabel('Your note');
    await expect.poll(() => note.inputValue()).toBe('Her daughter calls back.');
    await note.press('Enter');

    await log(other).getByText('Her daughter calls back.').waitFor();
    await expect.poll(() => note.inputValue()).toBe('');
    await other.getByText('Your role does not let you answer members.').waitFor({ state: 'hidden' });
    await other.getByLabel('Your note').fill('I know.');
    await other.getByLabel('Your note').press('Enter');
    await log(page).getByRole('article').filter({ hasText: 'Ash Sample' }).getByText('I know.').waitFor();
    expect(await tests.look(page, 'note')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    expect(await answerField(page).inputValue()).toBe('Please wait.');
    expect((await chat.carried()).join()).not.toMatch(/daughter|I know/);
  });

  it('says in German why a chat waits', async () => {
    await waitingChat('Ivo Sample');
    const page = await tests.open(tests.workspace.admin, tests.inbox, { locale: 'de-DE' });
    await row(page, 'Ivo Sample')
      .getByText('Das Mitglied hat geschrieben, der Agent ist angehalten')
      .waitFor();
  });

  it('lets only those decide who may answer members', async () => {
    const workflowId = await tests.workspace.publish({ name: 'Desk', taskType: 'handoff' });
    const chat = await tests.workspace.begin(workflowId, await tests.workspace.addTexter('Pat Sample'));
    await expect.poll(async () => (await chat.chat()).needsResponseReason).toBe('handoff');
    const reader = await addMember(tests.workspace, { permissions: ['chats:read', 'chats:write'] });
    const path = `${tests.inbox}/${chat.chatId}`;
    const [page, other] = [await tests.open(tests.workspace.admin, path), await tests.open(reader, path)];
    await page.getByRole('button', { name: 'Take the chat' }).waitFor();
    await other.getByText('A colleague who may answer members has to decide.').waitFor();
    expect(await other.getByRole('button', { name: 'Take the chat' }).count()).toBe(0);
  });

  it('lets an answer come that takes longer than what happens meanwhile', async () => {
    const chat = await waitingChat('Amy Sample');
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await row(page, 'Amy Sample').waitFor();
    let answerNow = () => {};
    const asked = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(request.url()));
    await page.route('**/members?*', async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    const counted = page.waitForResponse('**/needs-response/counts');
    await chat.write('Is anybody there?');
    await counted;
    answerNow();
    await page.getByRole('link', { name: 'Amy Sample' }).waitFor();
    expect(failed.filter((url) => url.includes('/members?'))).toEqual([]);
  });

  it('shows the records and calls of the member', async () => {
    const { workspaceUuid, workspaceId, phoneNumberId, asAdmin, select } = tests.workspace;
    const chat = await waitingChat('Mia Sample');
    const { memberId } = await chat.chat();
    const fields = [
      { slug: 'day', name: 'Day', fieldType: 'date' },
      { slug: 'fasting', name: 'Fasting', fieldType: 'boolean' },
    ];
    const type = { name: 'Preparation', slug: 'preparation', isCollection: false, fields };
    const { id: typeId } = (await asAdmin('POST', '/data-types', type)).body;
    const fieldValues = { day: '2030-05-14', fasting: true };
    const stored = await asAdmin('POST', `/data-types/${typeId}/records`, { memberId, fieldValues });
    expect(stored.status).toBe(201);
    await select(
      `insert into phone_calls (workspace_id, chat_id, member_id, phone_number_id, inbound, begun_by, remote_number, status, finished_at)
       values (?, ?, ?, ?, true, 'api', '+15555550100', 'no-answer', now())`,
      [workspaceId, chat.chatId, memberId, phoneNumberId],
    );
    const page = await tests.open(tests.workspace.admin, `/console/w/${workspaceUuid}/inbox/${chat.chatId}`);
    const records = page.getByRole('region', { name: 'Records' });
    await records.getByText('2030-05-14').waitFor();
    expect(await records.getByText('Yes').count()).toBe(1);
    await page.getByRole('region', { name: 'Calls' }).getByText('From the member: no answer').waitFor();
    expect(await tests.look(page, 'member-pane')).toEqual([]);

    await chat.write('STOP');
    await page.getByText('Does not want').waitFor();
    await page.getByRole('link', { name: 'From the member' }).click();
    await page.getByRole('heading', { name: 'What was said' }).waitFor();
  });

  it('has its navigation behind a button in a narrow window', async () => {
    const page = await tests.open(tests.workspace.admin, `/console/w/${tests.workspace.workspaceUuid}`);
    await page.setViewportSize({ width: 360, height: 740 });
    const inbox = page.getByRole('link', { name: 'Inbox' });
    await inbox.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await inbox.waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.screenshot({ path: '.artifacts/console/menu-narrow.png' });
    await page.keyboard.press('Escape');
    await inbox.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await inbox.press('Enter');
    await page.waitForURL(`**${tests.inbox}`);
    await inbox.waitFor({ state: 'hidden' });
  });

  it('holds no stream while its window is hidden, and shows then what has come meanwhile', async () => {
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    await page.getByRole('link', { name: 'Chat' }).or(page.locator('a[data-chat]')).first().waitFor();
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'eventsource') streams.push(request.url());
    });
    const closed = page.waitForEvent('requestfailed', (request) => request.resourceType() === 'eventsource');
    await hide(page, true);
    await closed;
    await waitingChat('Zoe Sample');
    expect(streams).toEqual([]);
    await hide(page, false);
    await row(page, 'Zoe Sample').waitFor();
  });

  it('is not shown to somebody who may not read chats', async () => {
    const member = await addMember(tests.workspace);
    const page = await tests.open(member, `/console/w/${tests.workspace.workspaceUuid}`);
    await page.getByRole('link', { name: 'Home' }).waitFor();
    expect(await page.getByRole('link', { name: 'Inbox' }).count()).toBe(0);
  });
});
