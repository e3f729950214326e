import { beforeAll, describe, expect, it } from 'vitest';
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

const { api, workspace, otherWorkspace: other } = useApi();
let superuser: TestBrowser;
let superuserId: number;

beforeAll(async () => {
  const email = uniqueEmail();
  const account = await workspace.database.identity.accounts.create({ email, isSuperuser: true });
  superuserId = account.id;
  superuser = openBrowser(api);
  await superuser.signIn({ email });
});

const add = (number: string, of?: TestWorkspace) =>
  superuser.request('POST', '/phone-number-pool', {
    body: of === undefined ? { number } : { number, workspaceUuid: of.workspaceUuid },
  });
const assign = (id: number, of: TestWorkspace | null) =>
  superuser.request('PUT', `/phone-number-pool/${id}`, {
    body: { workspaceUuid: of?.workspaceUuid ?? null },
  });
const take = (number: string, of: TestWorkspace) =>
  api.request('POST', of.path('/phone-numbers'), {
    apiKey: of.admin.apiKey,
    body: { number, name: 'Desk' },
  });
const refused = { status: 400, body: { errors: [{ pointer: '/number' }] } };

describe('a number outside the pool', () => {
  it('cannot be taken and has no route', async () => {
    const number = uniquePhone();

    expect(await take(number, workspace)).toMatchObject(refused);
    expect(await workspace.database.identity.phoneNumberRoutes.find(number)).toBeUndefined();
  });
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
    expect(await superuser.request('DELETE', `/phone-number-pool/${id}`)).toMatchObject(inUse);
    expect(await assign(id, other)).toMatchObject({
      status: 200,
      body: { usedByWorkspaceUuid: other.workspaceUuid },
    });

    await api.request('DELETE', other.path(`/phone-numbers/${taken.body.id}`), {
      apiKey: other.admin.apiKey,
    });
    expect(await superuser.request('DELETE', `/phone-number-pool/${id}`)).toMatchObject({ status: 204 });
    expect(await take(number, other)).toMatchObject(refused);
  });
});

describe('the phone number pool', () => {
  it('accepts a number once, in E.164, for an existing workspace', async () => {
    const number = uniquePhone();
    expect(await add(number)).toMatchObject({ status: 201, body: { source: 'superuser' } });
    expect(await add(number)).toMatchObject({ status: 409, body: { code: 'number_in_pool' } });
    expect(await add(number.slice(2))).toMatchObject(refused);
    const body = { number: uniquePhone(), workspaceUuid: '00000000-0000-4000-8000-000000000000' };
    expect(await superuser.request('POST', '/phone-number-pool', { body })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/workspaceUuid' }] },
    });
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
    for (const credential of [{ apiKey }, { apiKey: workspace.admin.apiKey }]) {
      const denied = { status: 403, body: { code: 'superuser_required' } };
      const ask = (method: string, path: string, request = {}) =>
        api.request(method, path, { ...credential, ...request });
      expect(await ask('GET', '/phone-number-pool')).toMatchObject(denied);
      expect(await ask('POST', '/phone-number-pool', { body })).toMatchObject(denied);
      const release = { body: { workspaceUuid: null } };
      expect(await ask('PUT', `/phone-number-pool/${id}`, release)).toMatchObject(denied);
      expect(await ask('DELETE', `/phone-number-pool/${id}`)).toMatchObject(denied);
    }
    expect(await api.request('GET', '/phone-number-pool')).toMatchObject({ status: 401 });
  });

  it('returns 404 for an unknown number', async () => {
    expect(await assign(999_999_999, null)).toMatchObject({ status: 404 });
    expect(await superuser.request('DELETE', '/phone-number-pool/999999999')).toMatchObject({ status: 404 });
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
