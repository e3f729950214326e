import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

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
    await page.getByRole('alert').getByText('Somebody else has changed this').waitFor();
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
  });
});
