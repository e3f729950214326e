import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
const list = () => `/console/w/${tests.workspace.workspaceUuid}/workflows`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });
const task = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} `) });
const phone = (page: Page) => page.getByRole('log', { name: 'A phone that plays this workflow' });
const saved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved$/ });

async function create(page: Page, name: string, start = 'A question with two answers'): Promise<string> {
  await button(page, 'New workflow').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Begin with').selectOption(start);
  await inDialog(page, 'Create').click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page.url().split('/').at(-1)?.split('?')[0] ?? '';
}

const revisions = async (workflowId: string) =>
  (await tests.workspace.asAdmin('GET', `/workflows/${workflowId}/revisions`)).body.items;

describe('a workflow', () => {
  it('is made, played, changed, and published by somebody who has read nothing', async () => {
    const page = await tests.open(tests.workspace.admin, list());
    await page.getByText('There is no workflow yet.').waitFor();
    const id = await create(page, 'Visit reminder');

    await task(page, 'Ask').click();
    const text = page.getByLabel('What the assistant is to do');
    await text.fill('Ask the member: "Will you come on Friday?"');
    await saved(page).waitFor();
    await button(page, 'Play again from the beginning').click();
    await phone(page).getByText('Will you come on Friday?').waitFor();
    await page.getByLabel('Message of the member').fill('Yes, the member says yes');
    await button(page, 'Send').click();
    await phone(page).getByText('Thank you.').waitFor();
    await phone(page).getByText('It ends: completed').waitFor();
    expect(await tests.look(page, 'workflow')).toEqual([]);

    await button(page, 'Publish').click();
    await page.getByRole('dialog').getByText('Nobody is in this workflow now.').waitFor();
    await inDialog(page, 'Publish now').click();
    await page.getByText('Published. New chats get this revision.').waitFor();
    const [revision] = await revisions(id);
    expect(revision).toMatchObject({ state: 'published', active: true });

    await page.getByRole('link', { name: 'All workflows' }).click();
    await page.getByRole('row', { name: /Visit reminder.*Published/ }).waitFor();
    expect(await tests.look(page, 'workflows')).toEqual([]);
  });

  it('is changed in a draft, which says what has changed and who stands where', async () => {
    const workflowId = await tests.workspace.publish({
      name: 'Welcome',
      taskType: 'message',
      configuration: { text: 'Welcome.' },
      children: [{ name: 'End', taskType: 'conclude' }],
    });
    await tests.workspace.begin(workflowId);
    const page = await tests.open(tests.workspace.admin, `${list()}/${workflowId}`);
    expect(await page.getByLabel('Text', { exact: true }).isDisabled()).toBe(true);
    await button(page, 'Change this workflow').click();
    await page.getByLabel('Text', { exact: true }).fill('Welcome to us.');
    await button(page, 'Add a task').click();
    await page.getByRole('dialog').getByLabel('Waits').check();
    await inDialog(page, 'Add a task').click();
    await page.getByLabel('Name of the task').fill('A while');
    const span = page.getByLabel('How long', { exact: true });
    await span.fill('12');
    await page.getByLabel('How long: Unit').selectOption('hours');
    await span.fill('');
    await span.fill('6');
    await saved(page).waitFor();

    await button(page, 'Move up').click();
    await saved(page).waitFor();
    await button(page, 'What changed').click();
    await page.getByText('Welcome to us.').first().waitFor();
    await page.locator('ins').getByText('Welcome to us.').waitFor();
    expect(await tests.look(page, 'workflow-changes')).toEqual([]);
    await button(page, 'Publish').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row', { name: /Welcome/ }).waitFor();
    expect(await tests.look(page, 'workflow-publish')).toEqual([]);
    await inDialog(page, 'Cancel').click();
    const [draft] = await revisions(String(workflowId));
    const { body } = await tests.workspace.asAdmin('GET', `/workflows/${workflowId}/revisions/${draft.id}`);
    expect(body.rootTask).toMatchObject({
      configuration: { text: 'Welcome to us.' },
      children: [{ name: 'A while', configuration: { for: 'PT6H' } }, { name: 'End' }],
    });
  });

  it('opens after and before the picture of its assignments', async () => {
    const workflowId = await tests.workspace.publish({ name: 'Both ways', taskType: 'conclude' });
    const { body } = await tests.workspace.asAdmin('GET', `/workflows/${workflowId}`);
    const picture = `/console/w/${tests.workspace.workspaceUuid}/runs/workflows/${workflowId}`;
    const page = await tests.open(tests.workspace.admin, picture);
    const title = page.getByRole('heading', { name: 'Where its assignments are' });
    const tree = page.locator('section').filter({ has: title }).getByRole('tree');
    await tree.waitFor();
    await page.getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.getByRole('link', { name: body.name, exact: true }).click();
    await button(page, 'Change this workflow').waitFor();
    await page.goBack();
    await page.goBack();
    await tree.waitFor();
  });

  it('is made once, also if the answer is lost', async () => {
    tests.provoked = /ERR_FAILED/;
    const page = await tests.open(tests.workspace.admin, list());
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/workflows/import', lose, { times: 1 });
    await button(page, 'New workflow').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Only one');
    await inDialog(page, 'Create').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await inDialog(page, 'Create').click();
    await page.getByRole('heading', { name: 'Only one', level: 1 }).waitFor();
    expect((await tests.workspace.asAdmin('GET', '/workflows?search=Only%20one')).body.items).toHaveLength(1);
  });

  it('is walked through by the arrow keys', async () => {
    const page = await tests.open(tests.workspace.admin, list());
    await create(page, 'By keys');
    await task(page, 'Ask').focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel('Name of the task').inputValue()).toBe('Yes');
    await page.keyboard.press('End');
    expect(await page.getByLabel('Name of the task').inputValue()).toBe('No');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => task(page, 'Yes').count()).toBe(0);
  });

  it('is not published with a problem, which leads to its task', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, list());
    await create(page, 'With problems');
    await task(page, 'Yes').click();
    await page.getByLabel('Only if (checked on the way here)').fill('membr.name == ""');
    await page
      .getByText(/Unknown variable: membr/)
      .first()
      .waitFor();
    expect(await button(page, 'Publish').isDisabled()).toBe(true);
    await task(page, 'Ask').click();
    await page.getByRole('button', { name: /^Problems/ }).click();
    expect(await tests.look(page, 'workflow-problems')).toEqual([]);
    await button(page, 'Show “Yes”').click();
    expect(await page.getByLabel('Only if (checked on the way here)').getAttribute('aria-invalid')).toBe(
      'true',
    );
    const others = page.getByLabel('Other settings (JSON)');
    await page.getByText('Advanced').click();
    await others.fill('{ "not yet');
    await page.reload();
    await page.getByText('Advanced').click();
    expect(await others.inputValue()).toBe('{ "not yet');
    await others.fill('');
    await others.blur();
    expect(await others.inputValue()).toMatch(/^\{/);
    await expect
      .poll(() => page.getByLabel('Only if (checked on the way here)').inputValue())
      .toBe('membr.name == ""');
    await page.getByLabel('Only if (checked on the way here)').fill('');
    await page.getByRole('group', { name: 'Who gets here' }).getByText('What can stand here').click();
    await button(page, '"Ask" in tasks.completed').click();
    expect(await page.getByLabel('Only if (checked on the way here)').inputValue()).toBe(
      '"Ask" in tasks.completed',
    );
    await saved(page).waitFor();
  });

  it('overwrites nothing of a colleague', async () => {
    tests.provoked = /status of 412/;
    const page = await tests.open(tests.workspace.admin, list());
    const id = await create(page, 'Of two');
    await saved(page).waitFor();
    const [draft] = await revisions(id);
    const path = `/workflows/${id}/revisions/${draft.id}`;
    const { body } = await tests.workspace.asAdmin('GET', path);
    const theirs = { name: 'Theirs', taskType: 'conclude', uuid: body.rootTask.uuid };
    expect((await tests.workspace.asAdmin('PUT', path, { rootTask: theirs })).status).toBe(200);
    await page.getByLabel('Name of the task').fill('Mine');
    await page.getByText('Somebody else has changed this draft meanwhile.').waitFor();
    expect(await tests.look(page, 'workflow-conflict')).toEqual([]);
    expect((await tests.workspace.asAdmin('GET', path)).body.rootTask.name).toBe('Theirs');
    await button(page, 'Keep mine, and replace what is stored').click();
    await saved(page).waitFor();
    expect((await tests.workspace.asAdmin('GET', path)).body.rootTask.name).toBe('Mine');
  });

  it('keeps what is not saved for whom it is of, also once a colleague has published', async () => {
    tests.provoked = /ERR_FAILED/;
    const page = await tests.open(tests.workspace.admin, list());
    const id = await create(page, 'Left behind');
    await saved(page).waitFor();
    const [draft] = await revisions(id);
    const path = `**/revisions/${draft.id}`;
    await page.route(path, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    const name = page.getByLabel('Name of the task');
    await name.fill('Mine');
    await button(page, 'Try again').waitFor();

    const colleague = await addMember(tests.workspace, { role: tests.workspace.roles.admin });
    const other = await tests.open(colleague, list());
    const context = page.context();
    const own = await context.cookies();
    await context.addCookies(await other.context().cookies());
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe('Ask');
    await context.addCookies(own);
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe('Mine');

    await page.unroute(path);
    const publish = `/workflows/${id}/revisions/${draft.id}/publish`;
    expect((await tests.workspace.asAdmin('POST', publish, {})).status).toBe(200);
    await page.reload();
    const left = page.getByRole('alert');
    await left.getByText('What you typed last is not saved').waitFor();
    expect(await name.inputValue()).toBe('Ask');
    // Saving it would be refused, which the page would complain of.
    expect(await tests.look(page, 'workflow-left')).toEqual([]);
    const download = page.waitForEvent('download');
    await left.getByRole('button', { name: 'My text as a file' }).click();
    const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
    expect(file).toMatchObject({ name: 'Left behind', rootTask: { name: 'Mine' } });
    await left.getByRole('button', { name: 'Drop my text' }).click();
    await left.waitFor({ state: 'detached' });
  });

  it('is exported, imported and put on hold', async () => {
    const page = await tests.open(tests.workspace.admin, list());
    await create(page, 'To take along', 'A single message');
    const download = page.waitForEvent('download');
    await button(page, 'Export').click();
    const file = readFileSync(await (await download).path(), 'utf8');
    expect(JSON.parse(file)).toMatchObject({ rootTask: { name: 'Greeting' } });
    await page.getByRole('link', { name: 'All workflows' }).click();
    await button(page, 'Import a file').click();
    await page
      .getByLabel('File of a workflow (JSON)')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await page.getByRole('dialog').getByLabel('Name').fill('Brought back');
    await inDialog(page, 'Import').click();
    await page.getByRole('heading', { name: 'Brought back' }).waitFor();
    await button(page, 'Hold').click();
    await inDialog(page, 'Hold').click();
    await button(page, 'Resume').waitFor();
    await page.getByText('On hold', { exact: true }).waitFor();
  });

  it('is only looked at and played by who may not change it', async () => {
    const reader = await addMember(tests.workspace, { permissions: ['workflows:read'] });
    const workflowId = await tests.workspace.publish({
      name: 'Read me',
      taskType: 'conversation',
      prompt: 'Talk.',
      children: [{ name: 'End', taskType: 'conclude' }],
    });
    const page = await tests.open(reader, list());
    await page.getByRole('link', { name: 'Workflows' }).waitFor();
    expect(await button(page, 'New workflow').count()).toBe(0);
    await page.goto(`${tests.system.api.baseUrl}${list()}/${workflowId}`);
    await page.getByLabel('The assistant says').fill('Hello.');
    await page.getByLabel('The assistant goes on to').selectOption('It stays here');
    const asked: Route[] = [];
    await page.route('**/simulate', (route) => void asked.push(route));
    await button(page, 'The assistant says').click();
    for (const name of ['The assistant says', 'Send', 'Play again from the beginning']) {
      await expect.poll(() => button(page, name).isDisabled()).toBe(true);
    }
    expect(asked).toHaveLength(1);
    // What was held goes on.
    await page.unroute('**/simulate');
    await phone(page).getByText('Hello.').waitFor();
    expect(await button(page, 'Change this workflow').count()).toBe(0);
  });
});
