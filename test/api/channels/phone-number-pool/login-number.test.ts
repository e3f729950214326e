import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { reserveLoginNumber } from '../../../../domain/channels/phone-number-pool/fill-pool.js';
import { openBrowser, type TestBrowser } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';
import { pooledPhone } from '../../../support/workspace/phone-number-pool.js';

const { api, workspace } = useApi({ carrier: { verifySignature: () => true } });

const context = () => ({ db: workspace.database, clock: workspace.context().clock });
const take = (browser: TestBrowser, uuid: string, number: string) =>
  browser.request('POST', `/w/${uuid}/phone-numbers`, { body: { number, name: 'Desk' } });

it('prevents a workspace owner from taking over the number that sends login codes', async () => {
  const loginNumber = uniquePhone();
  await reserveLoginNumber(context(), loginNumber);
  const email = uniqueEmail();
  await workspace.database.identity.accounts.create({ email });
  const browser = openBrowser(api);
  await browser.signIn({ email });
  const own = await browser.request('POST', '/workspaces', { body: { name: 'Sign-in help' } });
  expect(own.status).toBe(201);

  expect(await take(browser, own.body.uuid, loginNumber)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/number' }] },
  });

  // The login code goes to the victim’s number, so a takeover would intercept it.
  const answer = await api.request('POST', '/carrier-messages/inbound', {
    form: {
      MessageSid: `SM${randomUUID().replaceAll('-', '')}`,
      From: uniquePhone(),
      To: loginNumber,
      Body: '123456',
    },
    headers: { 'X-Twilio-Signature': randomBytes(20).toString('base64') },
  });
  expect(answer.status).toBe(200);
  const members = await browser.request('GET', `/w/${own.body.uuid}/members`);
  expect(members.body.total).toBe(1);
});

it('rejects a superuser’s request to pool, assign or remove the login number', async () => {
  const loginNumber = uniquePhone();
  await reserveLoginNumber(context(), loginNumber);
  const email = uniqueEmail();
  await workspace.database.identity.accounts.create({ email, isSuperuser: true });
  const superuser = openBrowser(api);
  await superuser.signIn({ email });

  const again = await superuser.request('POST', '/phone-number-pool', { body: { number: loginNumber } });
  expect(again.status).toBe(409);
  const { body } = await superuser.request('GET', '/phone-number-pool', {
    query: { search: loginNumber.slice(1) },
  });
  expect(body.items).toMatchObject([{ number: loginNumber, purpose: 'login_codes' }]);
  const path = `/phone-number-pool/${body.items[0].id}`;
  const refused = { status: 409, body: { code: 'login_number' } };
  const { workspaceUuid } = workspace;
  expect(await superuser.request('PUT', path, { body: { workspaceUuid } })).toMatchObject(refused);
  expect(await superuser.request('DELETE', path)).toMatchObject(refused);
});

it('refuses a number that is used by or assigned to a workspace as the login number', async () => {
  const used = await pooledPhone(workspace.database);
  const answer = await api.request('POST', workspace.path('/phone-numbers'), {
    apiKey: workspace.admin.apiKey,
    body: { number: used, name: 'Desk' },
  });
  expect(answer.status).toBe(201);
  const assigned = await pooledPhone(workspace.database, { workspaceId: workspace.workspaceId });

  for (const number of [used, assigned]) {
    await expect(reserveLoginNumber(context(), number)).rejects.toMatchObject({
      code: 'login_number_assigned',
    });
  }
});

it('reserves a free pool number as the login number and releases the earlier one', async () => {
  const [first, second] = [uniquePhone(), await pooledPhone(workspace.database)];
  await reserveLoginNumber(context(), first);
  await reserveLoginNumber(context(), second);

  const purposes = async () => {
    const page = { page: 1, pageSize: 100, sortBy: 'number', sortOrder: 'asc' } as const;
    const { items } = await workspace.database.identity.phoneNumberPool.list({}, page);
    return items.filter(({ purpose }) => purpose === 'login_codes').map(({ number }) => number);
  };
  expect(await purposes()).toEqual([second]);
  await reserveLoginNumber(context(), 'CLINIC');
  expect(await purposes()).toEqual([]);
});

it('gives a number either to a workspace or to login codes when both claim it at once', async () => {
  const numbers = Array.from({ length: 10 }, () => uniquePhone());
  for (const number of numbers) {
    await pooledPhone(workspace.database, { number });
    const [reserved, taken] = await Promise.allSettled([
      reserveLoginNumber(context(), number),
      api.request('POST', workspace.path('/phone-numbers'), {
        apiKey: workspace.admin.apiKey,
        body: { number, name: 'Desk' },
      }),
    ]);
    const isTaken = taken.status === 'fulfilled' && taken.value.status === 201;
    expect(reserved.status === 'fulfilled').toBe(!isTaken);
  }
});
