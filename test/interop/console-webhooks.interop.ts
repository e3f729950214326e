import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhook-receiver.js';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

// A delivery fails after two attempts.
const tests = new ConsoleTests({ retryDelaysMs: [0, 50] });
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

const webhooks = () => `/console/w/${tests.workspace.workspaceUuid}/webhooks`;
const pane = (page: Page) => page.getByRole('region', { name: 'Delivery' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const addSample = (name: string) => tests.workspace.asAdmin('POST', '/members', { name });

async function addRule(name: string, path: string, eventType = 'member:created') {
  const made = await tests.workspace.asAdmin('POST', '/event-rules', {
    name,
    eventType,
    actionType: 'webhook:send',
    actionParams: { webhookUrl: receiver.url(path) },
  });
  expect(made.status).toBe(201);
  return made.body.id as number;
}

/** Confirms what the page asks before it acts. */
async function confirm(page: Page, name: string) {
  await button(page, name).click();
  await page.getByRole('dialog', { name }).getByRole('button', { name }).click();
}

const rowsOf = async (ruleId: number, status: string) =>
  (await tests.workspace.asAdmin('GET', `/event-rules/${ruleId}/deliveries?status=${status}`)).body.total;

describe('the webhooks', () => {
  it('make a rule, test it, and repeat what has failed within a minute', async () => {
    const page = await tests.open(tests.workspace.admin, webhooks());
    await page.getByText('There is no event rule.').waitFor();
    await page.getByRole('link', { name: 'New rule' }).click();
    await page.getByLabel('Name').fill('Directory');
    await page.getByLabel('Event').selectOption('member:created');
    await page.getByText('A member was added: a person or an assistant.').waitFor();
    await page.getByText('What the receiver gets, for example').click();
    await page.getByText('"event": "member:created"').waitFor();
    expect(await tests.look(page, 'webhooks-new')).toEqual([]);
    await page.getByLabel('Address').fill(receiver.url('/directory'));
    await button(page, 'Save').click();
    await page.getByText(/^whsec_/).waitFor();
    expect(await tests.look(page, 'webhooks-secret')).toEqual([]);
    await page.getByRole('link', { name: 'Directory' }).click();
    await page.getByText('The receiver has never answered.').waitFor();
    await button(page, 'Send a test').click();
    await pane(page).getByText('Delivered', { exact: true }).waitFor();

    receiver.behave(() => ({ status: 500, body: 'The disk is full' }));
    await addSample('Robin Sample');
    await addSample('Kim Sample');
    const ruleId = Number(/webhooks\/(\d+)/.exec(page.url())?.[1]);
    await expect.poll(() => rowsOf(ruleId, 'failed'), { timeout: 30_000 }).toBe(2);

    const began = Date.now();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page
      .getByRole('row', { name: /Directory/ })
      .getByText('Failing since')
      .waitFor({ timeout: 20_000 });
    expect(await tests.look(page, 'webhooks')).toEqual([]);
    await page.getByRole('link', { name: 'Directory' }).click();
    await page.getByText('Every delivery has failed since').waitFor();
    await page.getByText('2 failed: why').click();
    await page.getByText('no attempt was accepted: the last answer was 500').waitFor();
    await page.getByLabel('State').selectOption('Failed');
    await page.getByRole('link', { name: 'member:created' }).first().click();
    await pane(page).getByText('no attempt was accepted').waitFor();
    expect(await pane(page).getByText('The disk is full').count()).toBe(2);
    await pane(page).getByText('"name": "Kim Sample"').waitFor();
    expect(await tests.look(page, 'webhooks-failed')).toEqual([]);

    receiver.behave(() => ({}));
    await confirm(page, 'Deliver again');
    await pane(page).getByText('Delivered', { exact: true }).waitFor();
    await confirm(page, 'Deliver failed ones again');
    await page.getByText('Delivered again: 1.').waitFor();
    await expect.poll(() => rowsOf(ruleId, 'delivered')).toBe(3);
    expect(Date.now() - began).toBeLessThan(60_000);
    const names = receiver.received('/directory').map(({ body }) => JSON.parse(body).member.name);
    expect(names.filter((name) => name === 'Robin Sample')).toHaveLength(3);
    expect(names.filter((name) => name === 'Kim Sample')).toHaveLength(3);
  });

  it('show the events that nobody was told of, and deliver them once the rule is enabled', async () => {
    const ruleId = await addRule('Roster', '/roster', 'member:updated');
    const page = await tests.open(tests.workspace.admin, `${webhooks()}/${ruleId}`);
    await confirm(page, 'Disable');
    await page.getByText('Nothing is sent while the rule is disabled.').waitFor();
    const member = await addSample('Lee Sample');
    await tests.workspace.asAdmin('PUT', `/members/${member.body.id}`, { name: 'Noa Sample' });

    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByLabel('Event', { exact: true }).selectOption('member:updated');
    await page.getByRole('link', { name: 'member:updated' }).click();
    await page.getByText('Nobody was told of this event').waitFor();
    expect(await tests.look(page, 'webhooks-events')).toEqual([]);
    await page.getByRole('link', { name: 'Roster' }).click();
    await button(page, 'Enable').click();
    await confirm(page, 'Deliver missed ones');
    await page.getByText('Delivered now: 1.').waitFor();
    await page.getByRole('cell', { name: /Missed before/ }).waitFor();
    await expect.poll(() => receiver.received('/roster').length).toBe(1);
  });

  it('say why an address is refused, and keep what was typed', async () => {
    tests.provoked = /status of 400/;
    const page = await tests.open(tests.workspace.admin, `${webhooks()}/new`);
    await page.getByLabel('Name').fill('Ledger');
    await page.getByLabel('Address').fill('http://169.254.169.254/');
    await button(page, 'Save').click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await page.reload();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ledger');
    await page.getByLabel('Address').fill(receiver.url('/ledger'));
    await page.getByLabel('No signature').check();
    await button(page, 'Save').click();
    await page.getByText('Its deliveries are not signed.').waitFor();

    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Name').fill('Accounts');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('link', { name: 'Renew the secret' }).click();
    await button(page, 'Renew the secret').click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('link', { name: 'Accounts' }).click();
    await confirm(page, 'Delete');
    await page.getByRole('link', { name: 'New rule' }).waitFor();
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
  });

  it('are not shown to who may not see them, and not changed by who may only read', async () => {
    tests.provoked = /status of (404|503)/;
    const home = `/console/w/${tests.workspace.workspaceUuid}`;
    const nobody = await tests.open(await addMember(tests.workspace), home);
    await nobody.getByRole('link', { name: 'Home' }).waitFor();
    expect(await nobody.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);

    const ruleId = await addRule('Watched', '/watched');
    const reader = await addMember(tests.workspace, { permissions: ['event_rules:read'] });
    const page = await tests.open(reader, `${webhooks()}/${ruleId}`);
    await page.getByRole('heading', { name: 'Watched' }).waitFor();
    await page.getByText('This rule has delivered nothing').waitFor();
    for (const name of ['Send a test', 'Disable', 'Delete', 'Deliver failed ones again']) {
      expect(await button(page, name).count(), name).toBe(0);
    }
    // What cannot be read again stays, below the reason.
    await page.route('**/event-rules/*', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Later.' } }),
    );
    await page.getByRole('alert').getByText('Later.').waitFor({ timeout: 60_000 });
    await page.getByRole('heading', { name: 'Watched' }).waitFor();
    await page.unroute('**/event-rules/*');
    await page.goto(`${tests.system.api.baseUrl}${webhooks()}/999999999`);
    await page.getByRole('alert').waitFor();
  });
});
