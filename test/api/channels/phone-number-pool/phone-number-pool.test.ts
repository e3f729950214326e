import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { reserveLoginNumber } from '../../../../domain/channels/phone-number-pool/fill-pool.js';
import { openBrowser, type TestBrowser } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addApiKey,
  createWorkspace,
  type TestWorkspace,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { pooledPhone } from '../../../support/workspace/phone-number-pool.js';

const { api, workspace, otherWorkspace: other } = useApi({ carrier: { verifySignature: () => true } });
let superuser: TestBrowser;
let superuserId: number;

beforeAll(async () => {
  const email = uniqueEmail();
  const account = await workspace.database.identity.accounts.create({ email, isSuperuser: true });
  superuserId = account.id;
  superuser = openBrowser(api);
  await superuser.signIn({ email });
});

const addBody = (body: object) => superuser.request('POST', '/phone-number-pool', { body });
const add = (number: string, of?: TestWorkspace) =>
  addBody(of === undefined ? { number } : { number, workspaceUuid: of.workspaceUuid });
const assign = (id: number, of: TestWorkspace | null) =>
  superuser.request('PUT', `/phone-number-pool/${id}`, {
    body: { workspaceUuid: of?.workspaceUuid ?? null },
  });
const take = (number: string, of: TestWorkspace) =>
  api.request('POST', of.path('/phone-numbers'), { apiKey: of.admin.apiKey, body: { number, name: 'Desk' } });
const remove = (id: number) => superuser.request('DELETE', `/phone-number-pool/${id}`);
const reserve = (number: string) =>
  reserveLoginNumber({ db: workspace.database, clock: workspace.context().clock }, number);
const refused = { status: 400, body: { errors: [{ pointer: '/number' }] } };

it('a number outside the pool cannot be taken and has no route', async () => {
  const number = uniquePhone();
  expect(await take(number, workspace)).toMatchObject(refused);
  expect(await workspace.database.identity.phoneNumberRoutes.find(number)).toBeUndefined();
});

describe('a pool number that is assigned to a workspace', () => {
  it('can be taken by that workspace only, and gives others the same refusal as an unknown number', async () => {
    const number = uniquePhone();
    expect(await add(number, workspace)).toMatchObject({
      status: 201,
      body: { number, workspaceUuid: workspace.workspaceUuid, usedByWorkspaceUuid: null },
    });

    const elsewhere = await take(number, other);
    expect(elsewhere).toMatchObject(refused);
    expect(elsewhere.body.detail).toBe((await take(uniquePhone(), other)).body.detail);
    expect(await take(number, workspace)).toMatchObject({ status: 201 });
  });

  it('can be released to every workspace', async () => {
    const number = uniquePhone();
    const { id } = (await add(number, workspace)).body;

    expect(await assign(id, null)).toMatchObject({ status: 200, body: { workspaceUuid: null } });

    expect(await take(number, other)).toMatchObject({ status: 201 });
  });

  it('cannot be reassigned or removed while it is in use', async () => {
    const number = uniquePhone();
    const { id } = (await add(number)).body;
    const taken = await take(number, other);

    const inUse = { status: 409, body: { code: 'phone_number_in_use' } };
    expect(await assign(id, workspace)).toMatchObject(inUse);
    expect(await remove(id)).toMatchObject(inUse);
    const usedByWorkspaceUuid = other.workspaceUuid;
    expect(await assign(id, other)).toMatchObject({ status: 200, body: { usedByWorkspaceUuid } });

    const { apiKey } = other.admin;
    await api.request('DELETE', other.path(`/phone-numbers/${taken.body.id}`), { apiKey });
    expect(await remove(id)).toMatchObject({ status: 204 });
    expect(await take(number, other)).toMatchObject(refused);
  });
});

describe('the phone number pool', () => {
  it('accepts a number once, in E.164, for an existing workspace', async () => {
    const number = uniquePhone();
    expect(await add(number)).toMatchObject({ status: 201, body: { source: 'superuser' } });
    expect(await add(number)).toMatchObject({ status: 409, body: { code: 'number_in_pool' } });
    expect(await add(number.slice(2))).toMatchObject(refused);
    const unknown = { number: uniquePhone(), workspaceUuid: '00000000-0000-4000-8000-000000000000' };
    const refusedWorkspace = { status: 400, body: { errors: [{ pointer: '/workspaceUuid' }] } };
    expect(await addBody(unknown)).toMatchObject(refusedWorkspace);
  });

  it('filters by part of the number, workspace and use', async () => {
    const own = await createWorkspace(workspace.database);
    const [used, free] = [uniquePhone(), uniquePhone()];
    for (const number of [used, free]) await add(number, own);
    await take(used, own);
    const listed = async (query: Record<string, string>) => {
      const answer = await superuser.request('GET', '/phone-number-pool', { query });
      return answer.body.items.map(({ number }: { number: string }) => number).sort();
    };

    const { workspaceUuid } = own;
    expect(await listed({ workspaceUuid })).toEqual([used, free].sort());
    expect(await listed({ workspaceUuid, inUse: 'true' })).toEqual([used]);
    expect(await listed({ workspaceUuid, inUse: 'false' })).toEqual([free]);
    expect(await listed({ search: free.slice(1) })).toEqual([free]);
  });

  it('requires a signed-in superuser', async () => {
    const apiKey = await addApiKey(workspace.database, superuserId);
    const id = (await add(uniquePhone())).body.id;
    const body = { number: uniquePhone() };
    const requests: [string, string, object?][] = [
      ['GET', '/phone-number-pool'],
      ['POST', '/phone-number-pool', { body }],
      ['PUT', `/phone-number-pool/${id}`, { body: { workspaceUuid: null } }],
      ['DELETE', `/phone-number-pool/${id}`],
    ];
    for (const key of [apiKey, workspace.admin.apiKey]) {
      for (const [method, path, more] of requests) {
        const answer = await api.request(method, path, { apiKey: key, ...more });
        expect(answer).toMatchObject({ status: 403, body: { code: 'superuser_required' } });
      }
    }
    expect(await api.request('GET', '/phone-number-pool')).toMatchObject({ status: 401 });
  });

  it('returns 404 for an unknown number', async () => {
    expect(await assign(999_999_999, null)).toMatchObject({ status: 404 });
    expect(await remove(999_999_999)).toMatchObject({ status: 404 });
  });
});

it('lists for a workspace the pool numbers that it can take', async () => {
  const own = await createWorkspace(workspace.database);
  const mine = await pooledPhone(workspace.database, { workspaceId: own.workspaceId });
  const free = await pooledPhone(workspace.database);
  const theirs = await pooledPhone(workspace.database, { workspaceId: other.workspaceId });
  const available = async (apiKey: string) =>
    api.request('GET', own.path('/available-phone-numbers'), { apiKey, query: { pageSize: 100 } });

  const before = (await available(own.admin.apiKey)).body.items;
  expect(before).toContainEqual({ number: mine, assigned: true });
  expect(before).toContainEqual({ number: free, assigned: false });
  expect(before.map(({ number }: { number: string }) => number)).not.toContain(theirs);

  await take(mine, own);
  expect((await available(own.admin.apiKey)).body.items).not.toContainEqual({ number: mine, assigned: true });
  expect(await available(own.member.apiKey)).toMatchObject({ status: 403 });
});

describe('the number of login codes', () => {
  it('cannot be taken over by the owner of a workspace', async () => {
    const loginNumber = uniquePhone();
    await reserve(loginNumber);
    const email = uniqueEmail();
    await workspace.database.identity.accounts.create({ email });
    const browser = openBrowser(api);
    await browser.signIn({ email });
    const own = await browser.request('POST', '/workspaces', { body: { name: 'Sign-in help' } });
    expect(own.status).toBe(201);

    const path = `/w/${own.body.uuid}`;
    const body = { number: loginNumber, name: 'Desk' };
    expect(await browser.request('POST', `${path}/phone-numbers`, { body })).toMatchObject(refused);

    // The login code goes to the victim’s number, so a takeover would intercept it.
    const MessageSid = `SM${randomUUID().replaceAll('-', '')}`;
    const answer = await api.request('POST', '/carrier-messages/inbound', {
      form: { MessageSid, From: uniquePhone(), To: loginNumber, Body: '123456' },
      headers: { 'X-Twilio-Signature': randomBytes(20).toString('base64') },
    });
    expect(answer.status).toBe(200);
    expect((await browser.request('GET', `${path}/members`)).body.total).toBe(1);
  });

  it('cannot be added, assigned or removed by a superuser', async () => {
    const loginNumber = uniquePhone();
    await reserve(loginNumber);

    expect((await add(loginNumber)).status).toBe(409);
    const query = { search: loginNumber.slice(1) };
    const { body } = await superuser.request('GET', '/phone-number-pool', { query });
    expect(body.items).toMatchObject([{ number: loginNumber, purpose: 'login_codes' }]);
    const { id } = body.items[0];
    const isLoginNumber = { status: 409, body: { code: 'login_number' } };
    expect(await assign(id, workspace)).toMatchObject(isLoginNumber);
    expect(await remove(id)).toMatchObject(isLoginNumber);
  });

  it('cannot be one that is used by or assigned to a workspace', async () => {
    const used = await pooledPhone(workspace.database);
    expect((await take(used, workspace)).status).toBe(201);
    const assigned = await pooledPhone(workspace.database, { workspaceId: workspace.workspaceId });

    for (const number of [used, assigned]) {
      await expect(reserve(number)).rejects.toMatchObject({ code: 'login_number_assigned' });
    }
  });

  it('can be a free number of the pool, and releases the earlier one', async () => {
    const [first, second] = [uniquePhone(), await pooledPhone(workspace.database)];
    await reserve(first);
    await reserve(second);

    const reserved = async () => {
      const page = { page: 1, pageSize: 100, sortBy: 'number', sortOrder: 'asc' } as const;
      const { items } = await workspace.database.identity.phoneNumberPool.list({}, page);
      return items.filter(({ purpose }) => purpose === 'login_codes').map(({ number }) => number);
    };
    expect(await reserved()).toEqual([second]);
    await reserve('CLINIC');
    expect(await reserved()).toEqual([]);
  });

  it('is not also a number of a workspace when both claim it at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const number = await pooledPhone(workspace.database);
      const [reserved, taken] = await Promise.allSettled([reserve(number), take(number, workspace)]);
      const isTaken = taken.status === 'fulfilled' && taken.value.status === 201;
      expect(reserved.status === 'fulfilled').toBe(!isTaken);
    }
  });
});
