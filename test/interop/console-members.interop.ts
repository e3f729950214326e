import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
const members = () => `/console/w/${tests.workspace.workspaceUuid}/members`;
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });

const addLabel = async (name: string, color: string) =>
  (await tests.workspace.asAdmin('POST', '/member-labels', { name, color })).body.id as number;
const person = async (values: object) =>
  (await tests.workspace.asAdmin('POST', '/members', values)).body.id as number;

describe('the members', () => {
  it('are found by the address, labelled several at once, and exported', async () => {
    const vip = await addLabel('Very important', '#b00020');
    await addLabel('Night shift', '#ffe600');
    await person({ name: 'Ada Sample', email: 'ada@patients.example', labelIds: [vip] });
    await person({ name: 'Bo Sample', phone: '+12025550144' });
    const permissions = ['members:read', 'members:write', 'chats:read'];
    const nurse = await addMember(tests.workspace, { permissions, values: { name: 'Nia Nurse' } });
    await tests.workspace.asAdmin('PUT', `/members/${tests.workspace.admin.memberId}`, { name: 'Max Admin' });

    const page = await tests.open(nurse, members());
    await page.getByRole('link', { name: 'Ada Sample' }).waitFor();
    expect(await tests.look(page, 'members')).toEqual([]);
    for (const name of ['Bo Sample', 'Max Admin']) await page.getByLabel(`Choose ${name}`).check();
    await page.getByText('2 chosen').waitFor();
    await page.getByLabel('Choose a label').selectOption('Night shift');
    await button(page, 'Add a label').click();
    await page.getByText('1 changed. Not changed:').waitFor();
    await page.getByText(/Max Admin: The role holds/).waitFor();
    await row(page, 'Bo Sample').getByText('Night shift').waitFor();

    await page.getByLabel('Labels', { exact: true }).first().selectOption('Night shift');
    await page.getByRole('link', { name: 'Ada Sample' }).waitFor({ state: 'detached' });
    await page.getByText('0 chosen').waitFor();
    expect(new URL(page.url()).searchParams.get('label')).toBe('night-shift');
    await page.reload();
    await page.getByRole('link', { name: 'Bo Sample' }).waitFor();
    expect(await page.getByRole('link', { name: 'Ada Sample' }).count()).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv).toContain('Bo Sample');
    expect(csv).not.toContain('Ada Sample');

    await page.getByLabel('Search name').fill('nobody of this name');
    await page.getByText('Nobody is found by these filters.').waitFor();
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('link', { name: 'Bo Sample' }).waitFor();
    expect(await page.getByLabel('Search name').inputValue()).toBe('');
  });

  it('are chosen at once as far as they are seen', async () => {
    for (let index = 0; index < 12; index += 1) await person({ name: `Sample ${index}` });
    const page = await tests.open(tests.workspace.admin, members());
    await page.setViewportSize({ width: 1_400, height: 500 });
    await page.reload();
    const boxes = page.getByRole('checkbox', { name: /^Choose (?!the rows)/ });
    await boxes.nth(10).waitFor();
    const grid = await page.getByRole('region', { name: 'Members' }).boundingBox();
    const places = await Promise.all((await boxes.all()).map((box) => box.boundingBox()));
    const end = (grid?.y ?? 0) + (grid?.height ?? 0);
    const seen = places.filter((place) => place !== null && place.y < end).length;
    expect(seen).toBeLessThan(places.length);
    await page.getByLabel('Choose the rows shown').check();
    const chosen = await boxes.and(page.getByRole('checkbox', { checked: true })).count();
    expect(chosen).toBeGreaterThan(0);
    expect(chosen).toBeLessThanOrEqual(seen);
  });

  it('get a new one, once the API accepts what was entered', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, members());
    await button(page, 'New member').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Cleo Sample');
    await dialog.getByLabel('Phone').fill('12');
    await dialog.getByLabel('Role').selectOption({ index: 1 });
    await dialog.getByLabel('Role').selectOption('');
    await button(page, 'Create').click();
    await expect.poll(() => dialog.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Cleo Sample');
    expect(await tests.look(page, 'new-member')).toEqual([]);
    await dialog.getByLabel('Phone').fill('+12025550155');
    await button(page, 'Create').click();
    await page.getByRole('heading', { name: 'Cleo Sample' }).waitFor();
    await page.getByText('+12025550155').waitFor();
  });

  it('come from a file, after a look at what would happen', async () => {
    await person({ name: 'Eve Sample', externalId: 'patient-7' });
    const page = await tests.open(tests.workspace.admin, members());
    await page.getByRole('link', { name: 'Import' }).click();
    const rows = [
      'Number,Name,Mobile',
      'patient-7,Eva Sample,',
      'patient-8,Finn Sample,12',
      'patient-9,Gil Sample,',
    ];
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByLabel('What column Number becomes').selectOption('External id');
    await page.getByLabel('What column Mobile becomes').selectOption('Phone');
    await button(page, 'Check the file').click();
    await page.getByText(/Row 3: phone/).waitFor();
    expect(await tests.look(page, 'import-members')).toEqual([]);
    await page.getByRole('button', { name: 'Import rows: 2' }).click();
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    await page.getByRole('link', { name: 'All members' }).click();
    for (const name of ['Eva Sample', 'Gil Sample']) await page.getByRole('link', { name }).waitFor();
    expect(await page.getByRole('link', { name: 'Finn Sample' }).count()).toBe(0);
  });

  it('are not shown to who may not read them, nor changed by who may not', async () => {
    const id = await person({ name: 'Dee Sample' });
    const member = await addMember(tests.workspace);
    const home = await tests.open(member, `/console/w/${tests.workspace.workspaceUuid}`);
    await home.getByRole('link', { name: 'Home' }).waitFor();
    expect(await home.getByRole('link', { name: 'Members' }).count()).toBe(0);

    const reader = await addMember(tests.workspace, { permissions: ['members:read'] });
    const page = await tests.open(reader, members());
    await page.getByRole('link', { name: 'Dee Sample' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.goto(`${tests.system.api.baseUrl}${members()}/${id}`);
    await page.getByRole('heading', { name: 'Dee Sample' }).waitFor();
    for (const name of ['Edit', 'Disable', 'Make the archive', 'Erase all data']) {
      expect(await button(page, name).count()).toBe(0);
    }
  });
});

describe('the page of a member', () => {
  it('has what is theirs, and changes it', async () => {
    await addLabel('Allergic', '#336699');
    const texter = await tests.workspace.addTexter('Robin Sample');
    await tests.workspace.addDataType({
      name: 'Visit',
      slug: 'visit',
      isCollection: true,
      fields: [{ slug: 'reason', name: 'Reason', fieldType: 'text' }],
    });
    const { body: types } = await tests.workspace.asAdmin('GET', '/data-types', undefined, { slug: 'visit' });
    await tests.workspace.asAdmin('POST', `/data-types/${types.items[0].id}/records`, {
      memberId: texter.memberId,
      fieldValues: { reason: 'Check-up' },
    });
    const chat = await tests.workspace.openChat(texter);
    await tests.workspace.asAdmin('PUT', `/chats/${chat.chatId}`, { paused: true });
    await chat.write('Are you open on Saturday?');

    const page = await tests.open(tests.workspace.admin, `${members()}/${texter.memberId}`);
    await page.getByRole('heading', { name: 'Robin Sample' }).waitFor();
    await page.getByText('waits for an answer').waitFor();
    await page.getByText('Visit').click();
    await page.getByText('Check-up').waitFor();
    await page.getByLabel('Add a label').selectOption('Allergic');
    await button(page, 'Remove the label Allergic').waitFor();
    await button(page, 'Edit').click();
    await page.getByLabel('Description').fill('Prefers mornings');
    await button(page, 'Save').click();
    await page.getByText('Prefers mornings').waitFor();
    await button(page, 'Opt out of SMS').click();
    await inDialog(page, 'Opt out of SMS').click();
    await page.getByText('in force').waitFor();
    expect(await tests.look(page, 'member')).toEqual([]);

    await button(page, 'Disable').click();
    await page.getByText('can no longer sign in').waitFor();
    await inDialog(page, 'Disable').click();
    await page.getByText('Disabled since').waitFor();
    await button(page, 'Enable').click();
    await button(page, 'Disable').waitFor();
    await button(page, 'Remove the label Allergic').click();
    await page.getByText('No labels.').waitFor();

    await page.getByRole('link', { name: 'SMS', exact: true }).click();
    await page.getByRole('log', { name: 'Messages' }).getByText('Are you open on Saturday?').waitFor();
    await page.getByRole('complementary').getByRole('link', { name: 'Robin Sample' }).click();
    await page.getByRole('heading', { name: 'Consent' }).waitFor();
  });

  it('exports and erases what is stored, after it has asked', async () => {
    tests.provoked = /status of 40[04]/;
    const id = await person({ name: 'Gone Sample', email: 'gone@patients.example' });
    const page = await tests.open(tests.workspace.admin, `${members()}/${id}`);
    await button(page, 'Make the archive').click();
    await page.getByText('The archive is ready.').waitFor({ timeout: 30_000 });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^member-\d+-.*\.zip$/);

    await button(page, 'Erase all data').click();
    const confirm = page.getByLabel('To confirm');
    await confirm.fill('somebody@else.example');
    await button(page, 'Erase for good').click();
    await expect.poll(() => confirm.getAttribute('aria-invalid')).toBe('true');
    await confirm.fill('gone@patients.example');
    await button(page, 'Erase for good').click();
    await page.getByText('Nothing is left.').waitFor({ timeout: 30_000 });
    await page.getByText('What stays').click();
    expect(await tests.look(page, 'erased-member')).toEqual([]);
  });
});
