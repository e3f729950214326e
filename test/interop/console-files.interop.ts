import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';
import { keptByWindow } from './support/kept-by-window.js';

const tests = new ConsoleTests();
const path = (query = '') => `/console/w/${tests.workspace.workspaceUuid}/files${query}`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const cell = (page: Page, name: string) => page.getByRole('cell', { name, exact: true });
const panel = (page: Page) => page.getByRole('complementary');
const dialog = (page: Page) => page.getByRole('dialog');
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const file = (name: string, content: string | Buffer, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const choose = (page: Page, label: string, files: ReturnType<typeof file>[]) =>
  page.getByLabel(label, { exact: true }).and(page.locator('input[type=file]')).setInputFiles(files);

/** Drops files on the page, as a file manager does. */
const dropped = (page: Page, name: string, content: string) =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }`);

/** Makes a folder by the API. @returns its id */
async function addFolder(name: string, more: object = {}): Promise<number> {
  const { body } = await tests.workspace.asAdmin('POST', '/folders', { name, ...more });
  return (body as { id: number }).id;
}

/** Waits until the words of a file of this title are found. */
const indexed = (title: string) =>
  waitFor(`“${title}” is indexed`, async () => {
    const { body } = await tests.workspace.asAdmin('GET', '/files', undefined, { search: title });
    const { items } = body as { items: { indexing: { state: string } }[] };
    return items[0]?.indexing.state === 'indexed';
  });

describe('the files', () => {
  it('are uploaded by button and by dropping them, and what is refused says why and can be tried again', async () => {
    tests.provoked = /status of (400|409|415)/;
    const page = await tests.open(tests.workspace.admin, `/console/w/${tests.workspace.workspaceUuid}`);
    await link(page, 'Files').click();
    await page.getByText('There are no files here.').waitFor();
    expect(await tests.look(page, 'files-none')).toEqual([]);

    await button(page, 'New folder').click();
    await dialog(page).getByLabel('Name').fill('Leaflets');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Leaflets' }).waitFor();
    await choose(page, 'Upload', [
      file('aftercare.txt', 'Drink enough water, and rest for two days.\n'),
      file('picture.png', pixel, 'image/png'),
      file('program.exe', Buffer.from([77, 90, 144, 0, 3, 0, 0, 0])),
    ]);
    await uploads(page).getByText('Uploaded: 2 of 3').waitFor();
    await uploads(page).getByText('Files that can be uploaded are').waitFor();
    await link(page, 'picture.png').first().waitFor();
    expect(await tests.look(page, 'files-uploads')).toEqual([]);
    await uploads(page).getByRole('button', { name: 'Try again: program.exe' }).click();
    await uploads(page).getByText('Files that can be uploaded are').waitFor();
    await uploads(page).getByRole('button', { name: 'Close: program.exe' }).click();

    await dropped(page, 'opening hours.md', '# Open\nWe open at eight.\n');
    await uploads(page).getByText('Uploaded: 3 of 3').waitFor();
    await button(page, 'Clear what is done').click();
    await uploads(page).waitFor({ state: 'detached' });
    await cell(page, 'opening hours.md').waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
  });

  it('that are too large, or end without an answer, are told so; what is under way is cancelled', async () => {
    tests.provoked = /status of 413|ERR_FAILED/;
    const large = join(mkdtempSync(join(tmpdir(), 'wes-large-')), 'large.txt');
    writeFileSync(large, Buffer.alloc(51 * 1_048_576, 'a'));
    const page = await tests.open(tests.workspace.admin, path());
    await page.route('**/files', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await button(page, 'Upload').waitFor();
    await choose(page, 'Upload', [file('lost.txt', 'Lost on the way.')]);
    await uploads(page).getByText('There is no connection to the service.').waitFor();
    await page.unroute('**/files');
    await uploads(page).getByRole('button', { name: 'Try again: lost.txt' }).click();
    await uploads(page).getByText('Uploaded: 1 of 1').waitFor();

    await page.getByLabel('Upload', { exact: true }).and(page.locator('input')).setInputFiles(large);
    await uploads(page).getByText('The file is larger than').waitFor();
    rmSync(dirname(large), { recursive: true });

    let answered: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      answered = resolve;
    });
    await page.route('**/files', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await choose(page, 'Upload', [file('unwanted.txt', 'Unwanted.')]);
    await uploads(page).getByRole('button', { name: 'Cancel: unwanted.txt' }).click();
    await uploads(page).getByText('unwanted.txt').waitFor({ state: 'detached' });
    answered();
    await page.unroute('**/files');
  });

  it('have versions, of which an earlier one is restored', async () => {
    const page = await tests.open(tests.workspace.admin, path());
    await button(page, 'Upload').waitFor();
    await choose(page, 'Upload', [file('prices.txt', 'A visit costs ten.')]);
    await cell(page, 'prices.txt').getByRole('link').click();
    await panel(page).getByText('A visit costs ten.').waitFor();
    await button(page, 'Versions').click();
    await choose(page, 'Upload a new version', [file('prices-2.txt', 'A visit costs twelve.')]);
    await panel(page).getByText('A visit costs twelve.').waitFor();
    const versions = panel(page).getByRole('list', { name: 'Versions' });
    await expect.poll(() => versions.getByRole('listitem').count()).toBe(2);
    await button(page, 'Restore: Version 1').click();
    await panel(page).getByText('A visit costs ten.').waitFor();
    await expect.poll(() => versions.getByRole('listitem').count()).toBe(3);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel(page).getByRole('link', { name: 'Download: Version 2' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('prices-2.txt');
    await button(page, 'Clear what is done').click();
    expect(await tests.look(page, 'file-versions')).toEqual([]);
    await button(page, 'About').click();
    expect(await tests.look(page, 'file')).toEqual([]);
  });

  it('are read by a link without signing in, until it is revoked', async () => {
    const { workspace } = tests;
    const page = await tests.open(workspace.admin, path());
    await button(page, 'Upload').waitFor();
    await choose(page, 'Upload', [file('directions.txt', 'Take the second street on the left.')]);
    await cell(page, 'directions.txt').getByRole('link').click();
    await button(page, 'Links').click();
    await panel(page).getByLabel('It works').selectOption('for 7 days');
    await button(page, 'Create a link').click();
    await panel(page).getByText('This address is shown only now.').waitFor();
    const address = (await panel(page).locator('code').textContent()) ?? '';
    expect(address).toMatch(/\?token=wsh_/);
    expect(await tests.look(page, 'file-links')).toEqual([]);

    const stranger = await tests.browser.newContext();
    const other = await stranger.newPage();
    await other.goto(address);
    expect(await other.locator('body').textContent()).toContain('Take the second street');
    await button(page, 'Revoke').click();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await panel(page).getByText('revoked', { exact: true }).waitFor();
    expect((await other.goto(address))?.status()).toBe(404);
    await stranger.close();

    // Nothing keeps the address: it is gone with its part of the page.
    await button(page, 'About').click();
    await expect.poll(() => keptByWindow(page)).not.toContain('wsh_');
    await page.reload();
    await button(page, 'Links').click();
    await panel(page).getByText('revoked', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('wsh_');
  });

  it('are described, labelled, moved by the keyboard and deleted', async () => {
    const { workspace } = tests;
    await workspace.asAdmin('POST', '/file-labels', { name: 'For patients', color: '#2a7de1' });
    const above = await addFolder('Archive');
    await addFolder('Year 2030', { parentFolderId: above });
    const page = await tests.open(workspace.admin, path());
    await button(page, 'Upload').waitFor();
    await choose(page, 'Upload', [file('notes.txt', 'Some notes.')]);
    await cell(page, 'notes.txt').getByRole('link').click();

    // Of a colleague's label, which this window has not seen, nothing is taken.
    const theirs = await workspace.asAdmin('POST', '/file-labels', { name: 'Checked', color: '#2a7de1' });
    const open = new URL(page.url()).searchParams.get('open');
    await panel(page).getByLabel('Add a label').waitFor();
    await workspace.asAdmin('PUT', `/files/${open}`, { labelIds: [(theirs.body as { id: number }).id] });
    await panel(page).getByLabel('Add a label').selectOption('For patients');
    await button(page, 'Remove the label For patients').waitFor();
    await button(page, 'Remove the label Checked').waitFor();
    await panel(page).getByLabel('Name', { exact: true }).fill('Notes of the year');
    await panel(page).getByLabel('Description').fill('What happened.');
    // What is written survives a reload.
    await page.reload();
    await expect.poll(() => panel(page).getByLabel('Description').inputValue()).toBe('What happened.');
    await panel(page).getByLabel('Who sees it').selectOption('All members');
    await button(page, 'Save').click();
    await panel(page).getByText('Saved.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Notes of the year' }).waitFor();

    await page.getByRole('button', { name: 'Move', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Archive' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Year 2030' }).waitFor();
    expect(await tests.look(page, 'file-move')).toEqual([]);
    // From the path, which has the focus, over its step to what is in it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('There are no folders in it.').waitFor();
    await button(page, 'Move here').click();
    await panel(page).getByRole('link', { name: 'Year 2030' }).click();
    await page.getByRole('heading', { level: 1, name: 'Year 2030' }).waitFor();
    await cell(page, 'Notes of the year').getByRole('link').click();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });

    await link(page, 'Archive').click();
    await link(page, 'About this folder').click();
    await button(page, 'Delete').click();
    await dialog(page).getByText('Directly in it – files: 0, folders: 1.').waitFor();
    await dialog(page).getByLabel('What is in it').selectOption('delete');
    expect(await tests.look(page, 'folder-delete')).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    await link(page, 'Archive').waitFor({ state: 'detached' });
  });

  it('are moved and deleted several at once', async () => {
    const from = await addFolder('Many');
    await addFolder('Few', { parentFolderId: from });
    const page = await tests.open(tests.workspace.admin, path(`?folder=${from}`));
    await button(page, 'Upload').waitFor();
    await choose(
      page,
      'Upload',
      ['one', 'two', 'three'].map((name) => file(`${name}.txt`, `This is ${name}.`)),
    );
    await uploads(page).getByText('Uploaded: 3 of 3').waitFor();
    await button(page, 'Clear what is done').click();
    await page.getByLabel('Choose one.txt').check();
    await page.getByLabel('Choose two.txt').check();
    const chosen = page.getByRole('region', { name: 'Chosen: 2' });
    expect(await tests.look(page, 'files-chosen')).toEqual([]);
    await chosen.getByRole('button', { name: 'Move' }).click();
    await dialog(page).getByRole('button', { name: 'Few' }).click();
    await button(page, 'Move here').click();
    await cell(page, 'one.txt').waitFor({ state: 'detached' });
    await chosen.waitFor({ state: 'detached' });
    await link(page, 'Few').click();
    await cell(page, 'one.txt').getByRole('link').click();
    await panel(page).waitFor();
    await page.getByLabel('Choose the rows shown').check();
    await chosen.getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no files here.').waitFor();
    await panel(page).waitFor({ state: 'detached' });
  });

  it('that somebody else changes meanwhile say so before anything is overwritten', async () => {
    const page = await tests.open(tests.workspace.admin, path());
    await button(page, 'Upload').waitFor();
    await choose(page, 'Upload', [file('shared-work.txt', 'Shared work.')]);
    await cell(page, 'shared-work.txt').getByRole('link').click();
    await panel(page).getByLabel('Description').fill('Mine');
    const id = new URL(page.url()).searchParams.get('open');
    await tests.workspace.asAdmin('PUT', `/files/${id}`, { description: 'Theirs' });
    await button(page, 'Save').click();
    await panel(page).getByText('Somebody else has changed this meanwhile.').waitFor();
    expect(await tests.look(page, 'file-changed-meanwhile')).toEqual([]);
    await button(page, 'Save').click();
    await panel(page).getByText('Saved.').waitFor();
    const { body } = await tests.workspace.asAdmin('GET', `/files/${id}`);
    expect(body).toMatchObject({ title: 'shared-work.txt', description: 'Mine' });
  });

  it('are found by their names and by the words in them, which lead to the file', async () => {
    const folder = await addFolder('Fever leaflets', { access: 'workspace' });
    const page = await tests.open(tests.workspace.admin, path(`?folder=${folder}`));
    await button(page, 'Upload').waitFor();
    await choose(page, 'Upload', [
      file('fever.md', 'With a fever, <b>drink</b> enough & sleep. Call us if it lasts for three days.'),
    ]);
    await cell(page, 'fever.md').waitFor();
    await indexed('fever.md');
    await page.getByLabel('Search names and texts').fill('drinking');
    const found = page
      .getByRole('listitem')
      .filter({ hasText: 'With a fever, <b>drink</b> enough & sleep.' });
    await found.waitFor();
    expect(await found.locator('mark').textContent()).toBe('drink');
    await page.getByLabel('Search names and texts').fill('fever');
    await link(page, 'Fever leaflets').waitFor();
    await expect.poll(() => page.url()).toContain('q=fever');
    expect(await tests.look(page, 'files-found')).toEqual([]);
    await link(page, 'fever.md').first().click();
    await panel(page).getByText('found by its words').waitFor();
    await panel(page).getByText('Call us if it lasts').waitFor();
    await button(page, 'Read it again').click();
    await panel(page).getByText('is being read').waitFor();
    await indexed('fever.md');
    await button(page, 'Look again').click();
    await panel(page).getByText('found by its words').waitFor();
  });

  it('of a shared folder are read by a link to it; its settings are kept', async () => {
    const folder = await addFolder('For partners');
    const page = await tests.open(tests.workspace.admin, path(`?folder=${folder}&open=folder`));
    await panel(page).getByLabel('Name', { exact: true }).fill('For our partners');
    await button(page, 'Save').click();
    await page.getByRole('heading', { level: 1, name: 'For our partners' }).waitFor();
    await button(page, 'Create a link').click();
    const address = (await panel(page).locator('code').textContent()) ?? '';
    expect(await tests.look(page, 'folder')).toEqual([]);
    await choose(page, 'Upload', [file('offer.txt', 'What we offer to partners.')]);
    await cell(page, 'offer.txt').waitFor();

    const stranger = await tests.browser.newContext({ bypassCSP: true });
    const other = await stranger.newPage();
    await other.goto(address);
    await other.getByRole('heading', { level: 1, name: 'For our partners' }).waitFor();
    expect(await tests.look(other, 'folder-shared')).toEqual([]);
    await link(other, 'offer.txt').click();
    expect(await other.locator('body').textContent()).toContain('What we offer to partners.');
    expect(
      (await other.goto(new URL(address).pathname.replace(/^/, tests.system.api.baseUrl)))?.status(),
    ).toBe(404);
    await stranger.close();
  });

  it('of others are read and not changed by a role that may only read', async () => {
    tests.provoked = /status of 404/;
    const folder = await addFolder('Only to read');
    const admin = await tests.open(tests.workspace.admin, path(`?folder=${folder}`));
    await button(admin, 'Upload').waitFor();
    await choose(admin, 'Upload', [file('read-me.txt', 'Read me.')]);
    await cell(admin, 'read-me.txt').waitFor();

    const reader = await addMember(tests.workspace, { permissions: ['files:read'] });
    const page = await tests.open(reader, path(`?folder=${folder}`));
    await cell(page, 'read-me.txt').getByRole('link').click();
    await panel(page).getByText('Read me.').waitFor();
    expect(await button(page, /Upload|New folder|Move|Delete|Save|Create a link|Restore/).count()).toBe(0);
    await link(page, 'About this folder').click();
    await panel(page).getByText('Who sees it').waitFor();
    expect(await button(page, /Move|Delete|Save|Create a link/).count()).toBe(0);
    await page.goto(`${tests.system.api.baseUrl}${path('?open=999999999')}`);
    await page.getByText('There is no such file.').waitFor();
    await page.goto(`${tests.system.api.baseUrl}${path('?folder=999999999')}`);
    await page.getByText('There is no such folder.').waitFor();

    const stranger = await addMember(tests.workspace, { permissions: ['chats:read'] });
    const other = await tests.open(stranger, `/console/w/${tests.workspace.workspaceUuid}`);
    await link(other, 'Home').waitFor();
    expect(await link(other, 'Files').count()).toBe(0);
  });

  it('are shown in German', async () => {
    const page = await tests.open(tests.workspace.admin, path(), { locale: 'de-DE' });
    await page.getByRole('heading', { level: 1, name: 'Dateien' }).waitFor();
    await page.getByRole('table').waitFor();
    expect(await tests.look(page, 'files-de')).toEqual([]);
  });
});
