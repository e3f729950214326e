import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
const path = () => `/console/w/${tests.workspace.workspaceUuid}/templates`;
const cell = (page: Page, name: string) => page.getByRole('cell', { name, exact: true });
const answerField = (page: Page) => page.getByLabel('Your answer');
const picker = (page: Page) => page.getByRole('combobox', { name: 'Search by name, shortcut or text' });
const list = (page: Page) => page.getByRole('listbox', { name: 'Message templates' });
const options = (page: Page) => list(page).getByRole('option');

const create = (name: string, shortcut: string, text: string, more: object = {}) =>
  tests.workspace.asAdmin('POST', '/message-templates', { name, shortcut, text, ...more });

/** The page of a chat that waits for a person. */
async function openChat(name: string): Promise<Page> {
  const { workspace } = tests;
  const chat = await workspace.openChat(await workspace.addTexter(name));
  await workspace.asAdmin('PUT', `/chats/${chat.chatId}`, { paused: true });
  await chat.write('Hello?');
  const page = await tests.open(workspace.admin, `${tests.inbox}/${chat.chatId}`);
  await answerField(page).waitFor();
  return page;
}

describe('the message templates', () => {
  it('are written, changed and deleted by who runs the workspace', async () => {
    tests.provoked = /status of 400/;
    await create('Parking', 'parking', 'You can park behind the house.');
    const page = await tests.open(tests.workspace.admin, path());
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    await cell(page, 'Parking').waitFor();
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Opening hours');
    await page.getByLabel('Shortcut').fill('parking');
    await page.getByLabel('Text', { exact: true }).fill('Hello {{member.name}}, we open at eight.');
    await page.getByLabel('Add a language').selectOption({ label: 'German' });
    await page.getByLabel('Text in German').fill('Guten Tag {{member.nmae}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Text in German').getAttribute('aria-invalid')).toBe('true');
    expect(await tests.look(page, 'template-refused')).toEqual([]);

    await page.getByLabel('Text in German').fill('Guten Tag {{member.name}}, wir öffnen um acht.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('has this shortcut').waitFor();
    expect(await page.getByLabel('Shortcut').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Shortcut').fill('hours');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Opening hours' }).waitFor();
    expect(new Set(keys).size).toBe(3);
    expect(keys).not.toContain(undefined);
    await page.getByLabel('Name', { exact: true }).fill('When we open');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'When we open' }).waitFor();
    expect(await tests.look(page, 'template')).toEqual([]);

    await page.getByRole('main').getByRole('link', { name: 'Message templates' }).click();
    await cell(page, 'When we open').waitFor();
    expect(await tests.look(page, 'templates')).toEqual([]);
    await page.getByLabel('Search templates').fill('behind the house');
    await cell(page, 'When we open').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Parking' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nobody can choose “Parking” from then on.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await cell(page, 'When we open').waitFor();
    await cell(page, 'Parking').waitFor({ state: 'detached' });
  });

  it('are put into an answer by the keyboard, with the name of the member', async () => {
    await create('Thanks', 'thanks', 'Thank you, {{member.name}}.');
    await create('Thanks for waiting', 'wait', 'Thank you for waiting.');
    const page = await openChat('Robin Sample');
    await answerField(page).press('/');
    await picker(page).pressSequentially('thank');
    await expect.poll(() => options(page).allTextContents()).toHaveLength(2);
    expect(await tests.look(page, 'template-picker')).toEqual([]);
    await picker(page).press('ArrowDown');
    expect(await list(page).getByRole('option', { selected: true }).textContent()).toContain('waiting');
    await picker(page).press('ArrowDown');
    await picker(page).press('Enter');
    expect(await answerField(page).inputValue()).toBe('Thank you, Robin Sample.');
    expect(await picker(page).count()).toBe(0);

    await page.keyboard.type(' ');
    await page.getByRole('button', { name: 'Insert a template' }).click();
    await picker(page).fill('wait');
    await list(page).getByRole('option', { name: 'Thanks for waiting' }).click();
    expect(await answerField(page).inputValue()).toBe('Thank you, Robin Sample. Thank you for waiting.');
    await page.keyboard.press('Enter');
    await page
      .getByRole('log', { name: 'Messages' })
      .getByText('Thank you, Robin Sample. Thank you for waiting.')
      .waitFor();
  });

  it('are closed by Escape, and leave an answer that begins with the sign', async () => {
    const page = await openChat('Kim Sample');
    await answerField(page).press('/');
    await picker(page).press('Escape');
    await picker(page).waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await picker(page).fill('nothing of this kind');
    await page.getByText('No template has this.').waitFor();
    await picker(page).fill('');
    await picker(page).press('/');
    expect(await answerField(page).inputValue()).toBe('/');
  });

  it('are only read by who may not change them, and not shown to who does not answer', async () => {
    const { body } = await create('Address', 'address', 'Main Street 1');
    const permissions = ['chats:read', 'chats:write', 'chats:admin', 'members:read'];
    const colleague = await addMember(tests.workspace, { permissions, values: { name: 'Dana Sample' } });
    const page = await tests.open(colleague, `${path()}/${body.id}`);
    expect(await page.getByLabel('Text', { exact: true }).getAttribute('readonly')).not.toBeNull();
    expect(await page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0);

    const reader = await addMember(tests.workspace, {
      permissions: ['chats:read'],
      values: { name: 'Lee Sample' },
    });
    const other = await tests.open(reader, tests.inbox);
    await other.getByRole('link', { name: 'Inbox' }).waitFor();
    expect(await other.getByRole('link', { name: 'Message templates' }).count()).toBe(0);
  });

  it('says that a template is gone', async () => {
    tests.provoked = /status of 404/;
    const page = await tests.open(tests.workspace.admin, `${path()}/999999999`);
    await page.getByText('There is no such template.').waitFor();
  });
});
