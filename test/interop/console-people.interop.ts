import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMcpServer } from '../../tools/simulators/mcp-server/start-mcp-server.js';
import type { RunningSimulator } from '../../tools/simulators/support/serve.js';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';
import { keptByWindow } from './support/kept-by-window.js';

const tests = new ConsoleTests();
let tools: RunningSimulator;

beforeAll(async () => {
  tools = await startMcpServer({ port: 0 });
});
afterAll(() => tools.close());

const settings = (section: string) => `/console/w/${tests.workspace.workspaceUuid}/settings/${section}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Confirms what the page asks before it acts. */
async function confirm(page: Page, name: string) {
  await button(page, name).click();
  await dialog(page, name).getByRole('button', { name, exact: true }).click();
}

describe('roles and people', () => {
  it('make a role, give it a permission by the keyboard, and a colleague sees accordingly', async () => {
    const colleague = await addMember(tests.workspace);
    const theirs = await tests.open(colleague, `/console/w/${tests.workspace.workspaceUuid}`);
    await theirs.getByRole('link', { name: 'Home' }).waitFor();
    expect(await theirs.getByRole('link', { name: 'Inbox' }).count()).toBe(0);

    const page = await tests.open(tests.workspace.admin, settings('roles'));
    await button(page, 'New role').click();
    await field(page, 'Name').fill('Evening desk');
    await button(page, 'Create').click();
    await page.getByRole('link', { name: 'Evening desk' }).waitFor();
    await button(page, 'New role').click();
    await field(page, 'Name').fill('Weekend desk');
    await button(page, 'Create').click();
    await page.getByRole('link', { name: 'Weekend desk' }).waitFor();
    const box = (grant: string) => field(page, `Evening desk: ${grant}`);
    await box('chats:read').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('+ chats:read, + chats:write').waitFor();
    await field(page, 'Weekend desk: chats:read').check();
    await button(page, 'Save changes (3)').waitFor();
    const { body: roles } = await tests.workspace.asAdmin('GET', '/member-roles');
    const weekend = roles.find(({ name }: { name: string }) => name === 'Weekend desk');
    await tests.workspace.asAdmin('DELETE', `/member-roles/${weekend.id}`);
    await page.reload();
    await page.getByText('+ chats:read, + chats:write').waitFor();
    expect(await tests.look(page, 'people-roles')).toEqual([]);
    await button(page, 'Save changes (2)').click();
    await page.getByText('Saved.').waitFor();
    expect(await box('chats:read').isChecked()).toBe(true);

    await page.getByRole('link', { name: 'People' }).click();
    await button(page, 'Add a colleague').waitFor();
    expect(await tests.look(page, 'people')).toEqual([]);
    await page.goto(`${tests.system.api.baseUrl}${settings('people')}/${colleague.memberId}`);
    await field(page, 'Role').selectOption('Evening desk');
    await button(page, 'Change the role').click();
    await page.getByRole('definition').filter({ hasText: 'Evening desk' }).waitFor();
    expect(await tests.look(page, 'people-colleague')).toEqual([]);
    await theirs.reload();
    await theirs.getByRole('link', { name: 'Inbox' }).waitFor();
    expect(await theirs.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0);

    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('link', { name: 'Evening desk' }).click();
    await page.getByText('Members with this role: 1').waitFor();
    await field(page, 'Name').fill('Night desk');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Night desk' }).waitFor();
    tests.provoked = /status of 409/;
    await confirm(page, 'Delete');
    await page.getByRole('alert').getByText('Members with this role: 1.').waitFor();
  });

  it('refuse to take the rights of the last admin, and say so', async () => {
    tests.provoked = /status of 409/;
    const { admin, roles } = tests.workspace;
    const page = await tests.open(admin, settings('roles'));
    await field(page, 'Admin: roles:write').uncheck();
    await button(page, 'Save changes (1)').click();
    await page.getByRole('alert').getByText('The last admin of a workspace').waitFor();
    expect(await tests.look(page, 'people-refused')).toEqual([]);
    await button(page, 'Discard').click();
    expect(await field(page, 'Admin: roles:write').isChecked()).toBe(true);

    await page.goto(`${tests.system.api.baseUrl}${settings('people')}/${admin.memberId}`);
    await field(page, 'Role').selectOption(roles.member.name);
    await button(page, 'Change the role').click();
    await page.getByRole('alert').getByText('The last admin of a workspace').waitFor();
    expect(await button(page, 'Disable').count()).toBe(0);
  });

  it('add a colleague, say how it signs in, and end what lets it in', async () => {
    const { asAdmin } = tests.workspace;
    const page = await tests.open(tests.workspace.admin, settings('people'));
    const role = await asAdmin('POST', '/member-roles', { name: 'Reader', permissions: ['members:read'] });
    await page.reload();
    await button(page, 'Add a colleague').click();
    await dialog(page, 'Add a colleague').getByLabel('Email').fill('kim@clinic.example');
    await dialog(page, 'Add a colleague').getByLabel('Name').fill('Kim Sample');
    await dialog(page, 'Add a colleague').getByLabel('Role').selectOption('Reader');
    await button(page, 'Add').click();
    await page.getByText('Tell Kim Sample to sign in here with kim@clinic.example:').waitFor();
    await page.getByText('Has not signed in yet').waitFor();
    const memberId = Number(/people\/(\d+)/.exec(page.url())?.[1]);
    await asAdmin('PUT', `/members/${memberId}`, { memberRoleId: role.body.id });
    expect((await asAdmin('POST', `/members/${memberId}/tokens`)).status).toBe(201);
    await page.reload();
    await button(page, 'Revoke the token').waitFor();
    expect(await tests.look(page, 'people-added')).toEqual([]);
    await confirm(page, 'Revoke the token');
    await page.getByText('There is none.').waitFor();
    await confirm(page, 'Disable');
    await button(page, 'Enable').waitFor();
  });

  it('show who may only read what there is, and others nothing', async () => {
    const reader = await addMember(tests.workspace, { permissions: ['members:read'] });
    const page = await tests.open(reader, settings('roles'));
    await field(page, 'Admin: roles:write').waitFor();
    await field(page, 'Admin: roles:write').focus();
    await page.keyboard.press('Space');
    expect(await field(page, 'Admin: roles:write').isChecked()).toBe(true);
    expect(await button(page, 'New role').count()).toBe(0);
    for (const name of ['Secrets', 'MCP servers', 'Assistants']) {
      expect(await page.getByRole('link', { name }).count(), name).toBe(0);
    }
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('link', { name: tests.workspace.admin.row.name ?? '' }).click();
    await page.getByRole('heading', { name: 'Person' }).waitFor();
    for (const name of ['Disable', 'Change the role', 'Add a colleague']) {
      expect(await button(page, name).count(), name).toBe(0);
    }
  });
});

describe('assistants', () => {
  it('are made, keep what is written, are used by a workflow, and stay while they are', async () => {
    const { asAdmin } = tests.workspace;
    const page = await tests.open(tests.workspace.admin, settings('assistants'));
    await page.getByRole('link', { name: 'Assistant', exact: true }).waitFor();
    expect(await tests.look(page, 'people-assistants')).toEqual([]);
    await page.getByRole('link', { name: 'New assistant' }).click();
    await field(page, 'Name').fill('Reminder');
    await field(page, 'Instructions').fill('You remind members of their visits.');
    await page.reload();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Reminder');
    await page.getByText('More settings').first().click();
    await field(page, 'Temperature').fill('0.3');
    expect(await tests.look(page, 'people-assistant-new')).toEqual([]);
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Reminder' }).waitFor();
    await page.getByText('No workflow names it.').waitFor();

    const id = Number(/assistants\/(\d+)/.exec(page.url())?.[1]);
    const { body: assistant } = await asAdmin('GET', `/assistants/${id}`);
    expect(assistant).toMatchObject({ name: 'Reminder', chatModelConfig: { temperature: 0.3 } });
    await asAdmin('POST', '/workflows', { name: 'Visits', assistantMemberId: assistant.memberId });
    await field(page, 'Name').fill('Visit reminder');
    await page.getByText('More settings').first().click();
    await field(page, 'Temperature').fill('0.7');
    await asAdmin('PUT', `/assistants/${id}`, {
      instructions: 'You are brief.',
      chatModelConfig: { temperature: 0.3, verbosity: 'low' },
    });
    await page.reload();
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Visits' }).waitFor();
    expect(await tests.look(page, 'people-assistant')).toEqual([]);
    expect((await asAdmin('GET', `/assistants/${id}`)).body).toMatchObject({
      name: 'Visit reminder',
      instructions: 'You are brief.',
      chatModelConfig: { temperature: 0.7, verbosity: 'low' },
    });
    await field(page, 'Instructions').fill('You are kind.');
    await asAdmin('PUT', `/assistants/${id}`, { instructions: 'You are very brief.' });
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('Now stored: “You are very brief.”').waitFor();
    await button(page, 'Undo').click();
    await expect.poll(() => field(page, 'Instructions').inputValue()).toBe('You are very brief.');
    tests.provoked = /status of 409/;
    await confirm(page, 'Delete');
    await page.getByText('The assistant is the assistant of a workflow.').waitFor();
  });
});

describe('secrets and MCP servers', () => {
  it('keep a value nowhere in the window, and replace it', async () => {
    const page = await tests.open(tests.workspace.admin, settings('secrets'));
    await page.getByText('There are no secrets yet.').waitFor();
    await button(page, 'New secret').click();
    const form = dialog(page, 'New secret');
    await form.getByLabel('Name').fill('calendar_token');
    await form.getByLabel('Hosts').fill('api.example.com');
    await form.getByLabel('Value').fill('never-kept-0001');
    expect(await form.getByLabel('Value').getAttribute('autocomplete')).toBe('off');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('cell', { name: 'calendar_token' }).waitFor();
    await form.waitFor({ state: 'hidden' });
    expect(await keptByWindow(page)).not.toContain('never-kept-0001');
    expect(await tests.look(page, 'people-secrets')).toEqual([]);

    tests.provoked = /status of 400/;
    await button(page, 'Replace').click();
    const again = dialog(page, 'Replace');
    await again.getByLabel('Hosts').fill('abandoned.example.com');
    await page.keyboard.press('Escape');
    await button(page, 'Replace').click();
    expect(await again.getByLabel('Hosts').inputValue()).toBe('api.example.com');
    await again.getByLabel('Hosts').fill('not a host');
    await again.getByLabel('Value').fill('never-kept-0002');
    await again.getByRole('button', { name: 'Replace' }).click();
    await expect.poll(() => again.getByLabel('Hosts').getAttribute('aria-invalid')).toBe('true');
    await again.getByLabel('Hosts').fill('calendar.example.com');
    await again.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Replaced.').waitFor();
    await page.getByText('calendar.example.com').first().waitFor();
    expect(await keptByWindow(page)).not.toContain('never-kept-0002');
    await button(page, 'Delete').click();
    await dialog(page, 'Delete').getByText('No workflow in use needs it.').waitFor();
    await dialog(page, 'Delete').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no secrets yet.').waitFor();
  });

  it('add a server, list its tools, and allow one with approval', async () => {
    const page = await tests.open(tests.workspace.admin, settings('mcp-servers'));
    await button(page, 'New server').click();
    const form = dialog(page, 'New server');
    await form.getByLabel('Name').fill('orders');
    await form.getByLabel('Address').fill(`${tools.url}/mcp`);
    await form.getByLabel('Token').fill('never-kept-0003');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('No tools are known.').waitFor();
    await button(page, 'List tools anew').click();
    const allow = page
      .getByRole('listitem')
      .filter({ hasText: 'find_order' })
      .getByRole('button', { name: 'Allow or forbid' });
    await allow.waitFor();
    expect(await tests.look(page, 'people-mcp-server')).toEqual([]);
    const choose = async (use: string) => {
      await allow.click();
      const asked = dialog(page, 'Allow or forbid');
      await asked.getByLabel('May agents use find_order?').selectOption(use);
      await asked.getByRole('button', { name: 'Allow or forbid' }).click();
    };
    await choose('A colleague approves each call');
    await page.getByText('with approval').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Allow or forbid');
    expect(await keptByWindow(page)).not.toContain('never-kept-0003');
    await choose('Agents may not use it');
    await expect.poll(() => page.getByText('with approval').count()).toBe(0);

    await button(page, 'Turn off').click();
    await page.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'MCP servers' }).first().click();
    await page.getByRole('link', { name: 'orders' }).waitFor();
    expect(await tests.look(page, 'people-mcp-servers')).toEqual([]);
    await page.getByRole('link', { name: 'orders' }).click();
    await confirm(page, 'Delete');
    await page.getByText('There is no MCP server yet.').waitFor();
  });
});

describe('an organization', () => {
  const emailOf = async ({ accountId }: { accountId: number }) =>
    (await tests.system.database.identity.accounts.findById(accountId))?.email ?? '';

  it('is made, gets a workspace, and somebody joins by the address of an invitation', async () => {
    const guest = await addMember(tests.workspace);
    const page = await tests.open(tests.workspace.admin, '/console/organizations');
    await page.getByText('You are not a member of any organization.').waitFor();
    expect(await tests.look(page, 'organizations')).toEqual([]);
    await button(page, 'New organization').click();
    await field(page, 'Name').fill('Harbour Health');
    await button(page, 'Create').click();
    await page.getByText('You are an owner').waitFor();
    await button(page, 'Put a workspace into it').click();
    const putting = dialog(page, 'Put a workspace into it');
    await putting.getByLabel('Workspace').selectOption({ index: 1 });
    await putting.getByRole('button', { name: 'Put a workspace into it' }).click();
    await button(page, 'Take out').waitFor();
    await field(page, 'Domains that may join').fill('clinic.example');
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    expect(await tests.look(page, 'organization')).toEqual([]);

    await page.getByRole('link', { name: 'People' }).click();
    await button(page, 'Invite somebody').click();
    await dialog(page, 'Invite somebody')
      .getByLabel('Email')
      .fill(await emailOf(guest));
    await button(page, 'Invite').click();
    const place = await page.getByText(/organizations\/.*\/join$/).textContent();
    expect(await tests.look(page, 'organization-people')).toEqual([]);

    const theirs = await tests.open(guest, '/console/organizations');
    await theirs.goto(place ?? '');
    await theirs.getByRole('heading', { name: 'Join Harbour Health' }).waitFor();
    expect(await tests.look(theirs, 'organization-join')).toEqual([]);
    await button(theirs, 'Join').click();
    await theirs.getByText('You are a member.').waitFor();
    expect(await theirs.getByRole('link', { name: 'People' }).count()).toBe(0);
    const organization = theirs.url();
    for (const section of ['people', 'sign-in', 'audit']) {
      await theirs.goto(`${organization}/${section}`);
      await theirs.getByText(/^Its owners/).waitFor();
      expect(await theirs.getByRole('button').count(), section).toBe(0);
    }

    await page.reload();
    await page.getByText('No invitation is open.').waitFor();
    const asked = dialog(page, 'Change the role');
    const changeRole = async (name: string | null) => {
      const row = page.getByRole('row').filter({ hasText: name ?? '' });
      await row.getByRole('button', { name: 'Change the role' }).click();
      await asked.getByLabel(`Role of ${name}`).selectOption('Admin');
      await asked.getByRole('button', { name: 'Change the role' }).click();
      return row;
    };
    tests.provoked = /status of 409/;
    await changeRole(tests.workspace.admin.row.name);
    await asked.getByRole('alert').getByText('owner').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    const changed = await changeRole(guest.row.name);
    await changed
      .locator('span.acts')
      .filter({ hasText: /^Admin/ })
      .waitFor();
    expect(await tests.look(page, 'organization-people-changed')).toEqual([]);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: 'Invitation: ' }).waitFor();
    await field(page, 'What').selectOption('Invitation: created');
    await expect.poll(() => page.getByRole('cell', { name: 'Organization: ' }).count()).toBe(0);
    await button(page, 'Invitation: created').click();
    const act = page.getByRole('complementary', { name: 'Invitation: created' });
    await act.getByText(tests.workspace.admin.row.name ?? '').waitFor();
    expect(await tests.look(page, 'organization-audit')).toEqual([]);

    await page.goto(`${tests.system.api.baseUrl}${settings('people')}`);
    await page.getByRole('link', { name: 'organizations' }).click();
    await page.getByRole('link', { name: 'Harbour Health' }).waitFor();
  });

  it('has an identity provider, whose secret is kept nowhere in the window', async () => {
    tests.provoked = /status of (400|404|409)/;
    const page = await tests.open(tests.workspace.admin, '/console/organizations');
    await page.getByRole('link', { name: 'Harbour Health' }).click();
    await page.getByRole('link', { name: 'Sign-in' }).click();
    await page.getByText(/sso\/callback$/).waitFor();
    await field(page, 'Issuer').fill('https://sso.clinic.example');
    await field(page, 'Client id').fill('harbour');
    await field(page, 'Client secret').fill('never-kept-0004');
    await button(page, 'Save').click();
    await button(page, 'Remove the provider').waitFor();
    await page.getByText('Saved.').waitFor();
    await page.getByText(/sso\/start$/).waitFor();

    // What a colleague writes meanwhile stays, or is told.
    const sso = `/api/v2${new URL(page.url()).pathname.slice('/console'.length).replace('sign-in', 'sso')}`;
    const colleague = (emailDomains: string[]) =>
      page.evaluate(
        async ([address, domains]) => {
          const body = { issuer: 'https://sso.clinic.example', clientId: 'harbour', emailDomains: domains };
          const headers = { 'content-type': 'application/json' };
          return (await fetch(address, { method: 'PUT', headers, body: JSON.stringify(body) })).status;
        },
        [sso, emailDomains] as const,
      );
    const stored = async () => {
      const answer = await page.request.get(tests.system.api.baseUrl + sso);
      return (await answer.json()) as { emailDomains: string[] };
    };
    expect(await colleague(['clinic.example'])).toBe(200);
    await field(page, 'Client secret').fill('never-kept-0005');
    await button(page, 'Save').click();
    await expect.poll(() => field(page, 'Domains of email addresses').inputValue()).toBe('clinic.example');
    expect((await stored()).emailDomains).toEqual(['clinic.example']);
    await field(page, 'Domains of email addresses').fill('');
    expect(await colleague(['clinic.example', 'harbour.example'])).toBe(200);
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('Somebody else has changed this').waitFor();
    expect((await stored()).emailDomains).toEqual(['clinic.example', 'harbour.example']);
    await button(page, 'Undo').click();
    expect(await keptByWindow(page)).not.toContain('never-kept-0004');
    expect(await tests.look(page, 'organization-sign-in')).toEqual([]);
    await confirm(page, 'Let in by the provider only');
    await dialog(page, 'Let in by the provider only').getByRole('alert').waitFor();
    await dialog(page, 'Let in by the provider only').getByRole('button', { name: 'Cancel' }).click();
    await confirm(page, 'Remove the provider');
    await expect.poll(() => button(page, 'Remove the provider').count()).toBe(0);
  });

  it('shows who is not signed in where to, and nothing to join', async () => {
    const { body } = await tests.workspace.asAdmin('GET', '/organization');
    const page = await tests.open(tests.workspace.admin, `/console/organizations/${body.uuid}/join`);
    await button(page, 'Join').waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    expect(await button(page, 'Join').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await tests.look(page, 'organization-join-visitor')).toEqual([]);
  });

  it('is nothing to who is no member, and refuses who was not invited', async () => {
    tests.provoked = /status of (403|404)/;
    const { body } = await tests.workspace.asAdmin('GET', '/organization');
    const stranger = await addMember(tests.workspace);
    const page = await tests.open(stranger, `/console/organizations/${body.uuid}`);
    await page.getByText('You are not a member of such an organization').waitFor();
    await page.getByRole('link', { name: 'I was invited to it' }).click();
    await button(page, 'Join').click();
    await page.getByRole('alert').waitFor();
  });
});
