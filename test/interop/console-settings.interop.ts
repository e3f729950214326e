import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../support/workspace/factories.js';
import { pooledPhone } from '../support/workspace/phone-number-pool.js';
import { ConsoleTests } from './support/console.js';
import { keptByWindow } from './support/kept-by-window.js';

const tests = new ConsoleTests();
const settings = (section = '') => `/console/w/${tests.workspace.workspaceUuid}/settings${section}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const workspace = async () => (await tests.workspace.asAdmin('GET', '')).body;

/** Confirms what the page asks before it acts. */
async function confirm(page: Page, name: string) {
  await button(page, name).click();
  await page.getByRole('dialog', { name }).getByRole('button', { name, exact: true }).click();
}

async function add(page: Page, name: string, option: string) {
  await page.getByRole('combobox', { name, exact: true }).selectOption(option);
  await button(page, `Add: ${name}`).click();
}

async function save(page: Page) {
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
}

describe('the settings of the workspace', () => {
  it('keep what was changed, and say what the API refuses', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, settings());
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await tests.look(page, 'settings')).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Workspace' }).click();
    await field(page, 'Time zone').selectOption('Europe/Berlin');
    await field(page, 'Language').fill('xx-nothing-of-a-language');
    await button(page, 'Save').click();
    await expect.poll(() => field(page, 'Language').getAttribute('aria-invalid')).toBe('true');
    await field(page, 'Language').fill('de-DE');
    await field(page, 'Pages that may call the workspace').fill(
      'https://app.example.com\n\nhttps://www.example.com',
    );
    await save(page);
    expect(await tests.look(page, 'settings-workspace')).toEqual([]);
    expect(await workspace()).toMatchObject({
      timezone: 'Europe/Berlin',
      locale: 'de-DE',
      allowedOrigins: ['https://app.example.com', 'https://www.example.com'],
    });
    await page.reload();
    await expect.poll(() => field(page, 'Time zone').inputValue()).toBe('Europe/Berlin');
  });

  it('do not undo what a colleague has changed meanwhile', async () => {
    const page = await tests.open(tests.workspace.admin, settings('/workspace'));
    await field(page, 'Name').fill('Evening desk');
    await tests.workspace.asAdmin('PUT', '', { name: 'Morning desk', postalAddress: 'Main Street 1' });
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('Now stored: “Morning desk”.').waitFor();
    expect(await workspace()).toMatchObject({ name: 'Morning desk' });
    await save(page);
    expect(await workspace()).toMatchObject({ name: 'Evening desk', postalAddress: 'Main Street 1' });
    await expect.poll(() => field(page, 'Postal address').inputValue()).toBe('Main Street 1');
  });

  it('hold everything after a question, and let it go on', async () => {
    const page = await tests.open(tests.workspace.admin, settings('/workspace'));
    await button(page, 'Hold everything').click();
    const dialog = page.getByRole('dialog', { name: 'Hold everything' });
    await dialog.getByLabel('Why').fill('The price in the reminders is wrong.');
    expect(await tests.look(page, 'settings-hold')).toEqual([]);
    await dialog.getByRole('button', { name: 'Hold everything' }).click();
    await page.getByText('The price in the reminders is wrong.').first().waitFor();
    expect(await tests.look(page, 'settings-held')).toEqual([]);
    expect((await workspace()).hold.heldAt).not.toBeNull();
    await confirm(page, 'End the hold');
    await page.getByText('Nothing is held.').waitFor();
  });

  it('hold nothing over the hold of a colleague', async () => {
    const page = await tests.open(tests.workspace.admin, settings('/workspace'));
    await button(page, 'Hold everything').click();
    await page.getByRole('dialog').getByLabel('Why').fill('The text is wrong.');
    const until = new Date(Date.now() + 86_400_000).toISOString();
    await tests.workspace.asAdmin('POST', '/workspace-hold', { reason: 'The price is wrong.', until });
    await page.getByRole('dialog').getByRole('button', { name: 'Hold everything' }).click();
    await page.getByRole('alert').getByText('Somebody else has changed this').waitFor();
    expect((await workspace()).hold).toMatchObject({ reason: 'The price is wrong.', until });
    await page.getByRole('dialog').getByRole('button', { name: 'Change the hold' }).click();
    await page.getByText('The text is wrong.').first().waitFor();
    await expect.poll(async () => (await workspace()).hold.reason).toBe('The text is wrong.');
    expect((await workspace()).hold.until).toBe(until);
    await confirm(page, 'End the hold');
    await page.getByText('Nothing is held.').waitFor();
  });

  it('say when calls are taken and when nobody is disturbed', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, settings('/hours'));
    await field(page, 'Calls are taken').selectOption('in the hours below');
    await field(page, 'From').first().fill('08:30');
    await button(page, 'Add hours').click();
    const second = page.getByRole('group', { name: 'Beginning on' }).nth(1);
    await second.getByLabel('Sat').check();
    await field(page, 'Closed on').fill('2026-12-25');
    await button(page, 'Add').click();
    await page.getByText('25 Dec 2026').waitFor();
    await field(page, 'What callers hear then').fill('{{ member.name }}, it is closed.');
    await field(page, 'Quiet hours').selectOption('every day that is chosen below');
    await field(page, 'From').last().fill('08:00');
    await field(page, 'Until').last().fill('07:00');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('at most 20 hours').waitFor();
    expect(await field(page, 'Until').last().getAttribute('aria-invalid')).toBe('true');
    expect(await tests.look(page, 'settings-hours-refused')).toEqual([]);
    await field(page, 'From').last().fill('21:00');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('may have the placeholders').waitFor();
    await page.reload();
    await expect
      .poll(() => field(page, 'What callers hear then').inputValue())
      .toBe('{{ member.name }}, it is closed.');
    await field(page, 'What callers hear then').fill('{{ workspace.name }} is closed.');
    await save(page);
    expect(await workspace()).toMatchObject({
      quietHours: { from: '21:00', to: '07:00' },
      businessHours: {
        windows: [
          { from: '08:30', to: '17:00', days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] },
          { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] },
        ],
        closedDates: ['2026-12-25'],
        closedText: '{{ workspace.name }} is closed.',
      },
    });
    await page.evaluate("document.querySelector('h1').scrollIntoView()");
    expect(await tests.look(page, 'settings-hours')).toEqual([]);
  });

  it('tell people of waiting chats', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, settings('/notices'));
    await field(page, 'When a chat waits').selectOption('the people below are told');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('must name somebody').waitFor();
    await field(page, 'Admin').check();
    await field(page, 'Minutes between two notices, at least').fill('30');
    await save(page);
    expect(await tests.look(page, 'settings-notices')).toEqual([]);
    expect((await workspace()).handoffNotices).toMatchObject({
      channels: ['email'],
      everyMinutes: 30,
      reasons: ['handoff', 'approval'],
    });
  });

  it('say how calls are recorded, who is called and how callers prove who they are', async () => {
    const page = await tests.open(tests.workspace.admin, settings('/calls'));
    await field(page, 'Record calls, from the next one on').check();
    await field(page, 'The other side of a call').selectOption({ index: 1 });
    await field(page, 'Add a language').selectOption('German');
    await field(page, 'What is said in German').fill('Das Gespräch wird aufgenommen.');
    await field(page, 'Callers prove who they are').selectOption('by answers to questions');
    await add(page, 'They are asked for', 'Date of birth');
    await add(page, 'They are asked for', 'Name');
    await field(page, 'Calls go to').selectOption('these countries');
    for (const country of ['Austria', 'France', 'Germany'])
      await add(page, 'Countries: Calls go to', country);
    const countries = page.getByRole('list', { name: 'Calls go to' });
    await countries.getByRole('button').nth(1).press('Enter');
    await countries.getByText('France').waitFor({ state: 'detached' });
    await countries.locator('li', { hasText: 'Germany' }).locator('button:focus').waitFor();
    await field(page, 'New SMS in a day').fill('500');
    await save(page);
    expect(await workspace()).toMatchObject({
      recordCalls: true,
      recordingConsent: 'ask',
      recordingNotice: { de: { text: 'Das Gespräch wird aufgenommen.' } },
      voiceIdentity: { questions: [{ memberField: 'dateOfBirth' }, { memberField: 'name' }], required: 2 },
      callCountries: ['AT', 'DE'],
      smsPerDay: 500,
    });
    expect(await tests.look(page, 'settings-calls')).toEqual([]);
  });

  it('are only shown as far as one may see them', async () => {
    const home = `/console/w/${tests.workspace.workspaceUuid}`;
    const nobody = await tests.open(await addMember(tests.workspace), home);
    await nobody.getByRole('link', { name: 'Home' }).waitFor();
    expect(await nobody.getByRole('link', { name: 'Settings' }).count()).toBe(0);

    const reader = await addMember(tests.workspace, { permissions: ['workspace:read'] });
    const page = await tests.open(reader, settings('/workspace'));
    await page.getByText('Your role may read this, and not change it.').waitFor();
    expect(await field(page, 'Name').isDisabled()).toBe(true);
    expect(await button(page, 'Save').count()).toBe(0);
    expect(await button(page, 'Hold everything').count()).toBe(0);
    const list = page.getByRole('navigation', { name: 'Settings' });
    await list.getByRole('link', { name: 'Hours' }).waitFor();
    expect(await list.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.goto(`${tests.system.api.baseUrl}${settings('/notices')}`);
    await page.getByText('Your role may not see this section.').waitFor();

    const writer = await addMember(tests.workspace, { permissions: ['phone_numbers:write'] });
    const other = await tests.open(writer, settings('/numbers'));
    await button(other, 'Get a number').waitFor();

    const desk = await addMember(tests.workspace, { permissions: ['phone_numbers:read'] });
    const numbers = await tests.open(desk, settings('/numbers'));
    await numbers.getByRole('link', { name: 'Desk' }).click();
    await numbers.getByText('Your role may read this, and not change it.').waitFor();
    expect(await button(numbers, 'Release').count()).toBe(0);
  });
});

describe('the channels', () => {
  it('get a number, say what it is for, and release it', async () => {
    const number = await pooledPhone(tests.workspace.database);
    const page = await tests.open(tests.workspace.admin, settings('/numbers'));
    await button(page, 'Get a number').click();
    const dialog = page.getByRole('dialog', { name: 'Get a number' });
    await dialog.getByLabel('Number').selectOption({ label: number });
    await dialog.getByLabel('Name').fill('Front desk');
    expect(await tests.look(page, 'settings-number-get')).toEqual([]);
    await dialog.getByRole('button', { name: 'Get a number' }).click();
    await page.getByRole('heading', { level: 1, name: 'Front desk' }).waitFor();
    await field(page, 'Calls').uncheck();
    await field(page, 'Greeting').fill('Good day, {{ workspace.name }}.');
    await save(page);
    expect(await tests.look(page, 'settings-number')).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Phone numbers' }).last().click();
    await page
      .getByRole('row', { name: /Front desk/ })
      .getByText('SMS', { exact: true })
      .waitFor();
    expect(await tests.look(page, 'settings-numbers')).toEqual([]);
    await page.getByRole('link', { name: 'Front desk' }).click();
    await confirm(page, 'Release');
    await button(page, 'Get a number').waitFor();
    await page.getByRole('row', { name: /Front desk/ }).waitFor({ state: 'detached' });
  });

  it('make an inbox, show its secret once, and delete it', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, settings('/inboxes'));
    await page.getByText('There is no inbox yet.').waitFor();
    await page.getByRole('link', { name: 'New inbox' }).click();
    await field(page, 'Address').fill('desk@elsewhere.example');
    await field(page, 'Name of the sender').fill('Front desk');
    await button(page, 'Create').click();
    await page.getByRole('alert').waitFor();
    await field(page, 'Emails are sent').selectOption('by a mail server of your own');
    await field(page, 'Mail server').fill('127.0.0.1');
    await field(page, 'Port').fill('2525');
    await field(page, 'Encryption').selectOption('none');
    await field(page, 'User').fill('desk');
    await field(page, 'Password').fill('not to be kept');
    expect(await tests.look(page, 'settings-inbox-new')).toEqual([]);
    await button(page, 'Create').click();
    await page.getByText('The inbox is made.').waitFor();
    await page.getByText('This secret is shown only now.').waitFor();
    const secret = (await page.locator('p.acts code').textContent()) ?? '';
    expect(secret.length).toBeGreaterThan(10);
    expect(await tests.look(page, 'settings-inbox-made')).toEqual([]);
    await page.getByRole('link', { name: 'desk@elsewhere.example' }).click();
    await field(page, 'Signature').fill('**Front desk**');
    await save(page);
    await expect.poll(() => keptByWindow(page)).not.toContain(secret);

    // A colleague changes the server meanwhile.
    const server = button(page, 'Save the mail server');
    expect(await server.isDisabled()).toBe(true);
    const inbox = `/inboxes/${page.url().split('/').at(-1)}`;
    const theirs = { host: '127.0.0.1', port: 587, security: 'none', user: 'desk', password: 'a new one' };
    expect((await tests.workspace.asAdmin('PUT', inbox, { smtp: theirs })).status).toBe(200);
    await field(page, 'User').fill('front-desk');
    await field(page, 'Password').fill('not to be kept either');
    await server.click();
    await page.getByText('Somebody else has changed this meanwhile.').waitFor();
    await server.click();
    await expect
      .poll(async () => (await tests.workspace.asAdmin('GET', inbox)).body)
      .toMatchObject({ smtp: { user: 'front-desk' } });
    await expect.poll(() => keptByWindow(page)).not.toContain('not to be kept');
    await confirm(page, 'Renew the secret');
    await page.getByText('This secret is shown only now.').waitFor();
    expect(await page.locator('p.acts code').textContent()).not.toBe(secret);
    expect(await tests.look(page, 'settings-inbox')).toEqual([]);
    expect(JSON.stringify(await page.context().storageState())).not.toContain('not to be kept');
    await page.reload();
    await field(page, 'Signature').waitFor();
    expect(await page.getByText('This secret is shown only now.').count()).toBe(0);
    await confirm(page, 'Delete');
    await page.getByText('There is no inbox yet.').waitFor();
  });
});

describe('the budget, the retention and the labels', () => {
  it('bound what assistants use in a month', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, settings('/budget'));
    await page.getByText('Nothing was used in this month.').waitFor();
    await field(page, 'Credits in a month').fill('5000');
    await save(page);
    await page.getByText('Left this month').waitFor();
    expect(await tests.look(page, 'settings-budget')).toEqual([]);
    const { body } = await tests.workspace.asAdmin('GET', '/credit-budget');
    expect(body).toMatchObject({ monthlyCredits: 5_000, extraUsageEnabled: false });
  });

  it('are not shortened without a word', async () => {
    const page = await tests.open(tests.workspace.admin, settings('/retention'), { locale: 'de-DE' });
    await field(page, 'Chats').fill('90');
    await button(page, 'Speichern').click();
    expect((await workspace()).chatRetentionDays).toBeNull();
    await page.getByLabel('Was älter ist als die kürzere Frist').check();
    expect(await tests.look(page, 'settings-retention-german')).toEqual([]);
    await button(page, 'Speichern').click();
    await page.getByText('Gespeichert.').waitFor();
    expect((await workspace()).chatRetentionDays).toBe(90);
  });

  it('give a label another colour, and delete it after saying how many have it', async () => {
    const made = await tests.workspace.asAdmin('POST', '/member-labels', { name: 'Allergic' });
    await tests.workspace.asAdmin('POST', '/members', { name: 'Robin Sample', labelIds: [made.body.id] });
    const page = await tests.open(tests.workspace.admin, settings('/labels'));
    await page.getByRole('link', { name: 'Allergic' }).waitFor();
    expect(await tests.look(page, 'settings-labels')).toEqual([]);
    await page.getByRole('link', { name: 'Of chats' }).click();
    await button(page, 'New label').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Complaint');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Complaint' }).waitFor();
    await page.goto(`${tests.system.api.baseUrl}${settings(`/labels/member/${made.body.id}`)}`);
    await field(page, 'Colour').fill('#b00020');
    await save(page);
    expect(await tests.look(page, 'settings-label')).toEqual([]);
    const { body } = await tests.workspace.asAdmin('GET', `/member-labels/${made.body.id}`);
    expect(body.color).toBe('#b00020');
    await button(page, 'Delete').click();
    await page.getByText('It is taken from all that have it: 1.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no label of members yet.').waitFor();
  });
});

describe('the audit log', () => {
  it('shows who did what, narrowed by the address, and is exported', async () => {
    await tests.workspace.asAdmin('PUT', '', { name: 'Desk of the audit' });
    const page = await tests.open(tests.workspace.admin, settings('/audit'));
    await page.getByRole('combobox', { name: 'What' }).selectOption('Workspace: changed');
    const row = page.getByRole('row', { name: /Workspace: changed/ }).first();
    await row.getByText('name').waitFor();
    const me = await tests.workspace.asAdmin('GET', '/members/me');
    await row.getByText(me.body.member.name).waitFor();
    await row.getByRole('button').press('Enter');
    await page.getByRole('complementary', { name: 'Workspace: changed' }).waitFor();
    await page.getByText('From the address').waitFor();
    expect(await tests.look(page, 'settings-audit')).toEqual([]);
    expect(page.url()).toContain('action=workspace%3Aupdated');
    await field(page, 'Until').fill('2020-01-01');
    await page.getByText('Nothing like this was done').waitFor();
    await field(page, 'Until').fill('');
    await row.waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as CSV' }).click();
    const text = await readFile((await (await downloading).path()) ?? '', 'utf8');
    expect(text).toContain('workspace:updated');
    expect(text).not.toContain('number:created');
  });
});
