import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeCarrierTexts } from '../../db/channels/carrier-texts.js';
import { conversationTasks } from '../support/workspace/definitions.js';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
const dayMs = 86_400_000;
/** The name of the workflow that has an assignment. */
let workflow: string;
const figures = (search = '') => `/console/w/${tests.workspace.workspaceUuid}/figures${search}`;
/** A plot with what belongs to it. */
const figure = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

beforeAll(async () => {
  const { workspace, system } = tests;
  const answered = await workspace.openChat(await workspace.addTexter('Robin Sample'));
  await answered.write('Are you open on Saturday?');

  const texter = await workspace.addTexter('Kim Sample');
  const silent = await workspace.openChat(texter);
  await workspace.asAdmin('PUT', `/chats/${silent.chatId}`, { paused: true });
  await silent.write('Hello?');
  await system.carrier.turn({ handset: texter.phone, failing: { code: 30_006 } });
  await silent.post('We call you.');

  for (let count = 0; count < 12; count += 1)
    await workspace.asAdmin('POST', '/chats', { channel: 'web-chat' });
  await workspace.select(
    `update chats set created_at = created_at - (id % 19) * interval '1 day' where channel = 'web-chat' returning id`,
  );
  await workspace.select(`update phone_numbers set created_at = created_at - interval '9 days' returning id`);
  await system.database.inWorkspace(workspace.workspaceId, (tx) =>
    storeCarrierTexts(
      tx,
      [0.25, 0.5].map((price, index) => ({
        number: workspace.number,
        carrierMessageId: `SM${index}`,
        inbound: false,
        sentAt: new Date(Date.now() - index * dayMs),
        segments: 1,
        price,
        priceUnit: 'USD',
      })),
    ),
  );
  const definitionId = await workspace.publish(conversationTasks());
  const run = await workspace.begin(definitionId);
  workflow = (await workspace.asAdmin('GET', `/workflows/${definitionId}`)).body.name;
  await workspace.asAdmin('POST', `/assignments/${run.assignmentId}/cancel`);
  await silent.settled();
  await answered.settled();
});

describe('the figures', () => {
  it('show what happened in the days that are asked for', async () => {
    const page = await tests.open(tests.workspace.admin, figures('?days=30'));
    const chats = figure(page, 'Chats that began, by channel');
    await chats.getByRole('listitem').filter({ hasText: 'Web chat' }).getByText('12').waitFor();
    await figure(page, 'Messages that did not arrive').getByRole('link', { name: 'landline' }).waitFor();
    await figure(page, 'How long members waited').getByText('0 have no answer').waitFor();
    const answers = figure(page, 'Who answered').getByRole('listitem');
    await answers.filter({ hasText: 'Colleagues' }).getByText('1', { exact: true }).waitFor();
    await figure(page, 'Credits that models used').getByText('there is no budget').waitFor();
    await figure(page, 'Charged by the carrier, in USD').getByText('0.75').waitFor();
    await figure(page, 'Assignments that began').getByText('Cancelled').first().waitFor();
    await figure(page, 'Assignments that began').getByRole('link', { name: workflow, exact: true }).waitFor();
    await figure(page, 'by how long they have waited').getByText('under an hour').first().waitFor();
    expect(await tests.look(page, 'figures')).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    await page.screenshot({ path: '.artifacts/console/figures-print.png', fullPage: true });
    await page.emulateMedia({ media: 'screen' });

    await page.getByLabel('Days').selectOption('7 days');
    await page.waitForURL(/days=7/);
    await chats.getByRole('slider').waitFor();
    await expect.poll(() => chats.getByRole('slider').getAttribute('max')).toBe('6');
  });

  it('tell the values of a day by the keyboard, and give the numbers as a table and a file', async () => {
    const page = await tests.open(tests.workspace.admin, figures('?days=7'));
    const costs = figure(page, 'Charged by the carrier, in USD');
    const slider = costs.getByRole('slider');
    await slider.focus();
    await expect.poll(() => costs.locator('output').innerText()).toContain('SMS 0.25');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => costs.locator('output').innerText()).toContain('SMS 0.5');
    await costs.getByText('Numbers').click();
    await costs.getByRole('cell', { name: '0.25' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      costs.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(lines[0]).toBe('Day,SMS,Phone,Not billed yet');
    expect(lines.slice(1, 3).map((line) => line.split(',')[1])).toEqual(['0.5', '0.25']);
  });

  it('lead to the lists behind them', async () => {
    const page = await tests.open(tests.workspace.admin, figures());
    await figure(page, 'Messages that did not arrive').getByRole('link', { name: 'landline' }).click();
    await page.getByRole('heading', { name: 'Messages that did not arrive' }).waitFor();
    await page.getByText('We call you.').waitFor();
    expect(await tests.look(page, 'figures-failed')).toEqual([]);
    await page.getByRole('link', { name: 'Show all reasons' }).click();
    await page.waitForURL((url) => !url.search.includes('reason'));
    await page.getByRole('link', { name: 'Kim Sample' }).click();
    await page.getByRole('log', { name: 'Messages' }).getByText('We call you.').waitFor();

    await page.goto(`${tests.system.api.baseUrl}/console/w/${tests.workspace.workspaceUuid}`);
    await page.getByRole('link', { name: 'Undelivered messages (24 hours)' }).click();
    await page.getByRole('link', { name: 'Kim Sample' }).waitFor();
  });

  it('tell in which task the assignments of a workflow end', async () => {
    const page = await tests.open(tests.workspace.admin, figures());
    const assignments = figure(page, 'Assignments that began');
    await assignments.getByLabel('Workflow').selectOption(workflow);
    await page.waitForURL(/workflow=/);
    await assignments.getByRole('link', { name: 'Ask (1)' }).click();
    await page.waitForURL(/runs\?.*taskId=/);
    await page.getByText('Cancelled').first().waitFor();
  });

  it('say what failed, and show the rest', async () => {
    tests.provoked = /status of 503/;
    const page = await tests.open(tests.workspace.admin, figures());
    await figure(page, 'Credits by model').getByRole('listitem').first().waitFor();
    await page.route('**/costs?*', (route) => route.fulfill({ status: 503, json: { detail: 'Later.' } }));
    await page.reload();
    await page.getByRole('alert').getByText('Later.').waitFor({ timeout: 20_000 });
    await figure(page, 'Credits by model').getByRole('listitem').first().waitFor();
  });

  it('are shown as far as the role may know them', async () => {
    const home = `/console/w/${tests.workspace.workspaceUuid}`;
    const nobody = await tests.open(await addMember(tests.workspace), home);
    await nobody.getByRole('link', { name: 'Home' }).waitFor();
    expect(await nobody.getByRole('link', { name: 'Figures' }).count()).toBe(0);

    const accountant = await addMember(tests.workspace, { permissions: ['workspace:read'] });
    const page = await tests.open(accountant, figures());
    await figure(page, 'Charged by the carrier, in USD').getByText('0.75').waitFor();
    expect(await page.getByRole('heading', { name: 'Chats that began' }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Assignments that began' }).count()).toBe(0);
  });
});
