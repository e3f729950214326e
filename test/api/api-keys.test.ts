import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { addApiKey, addMember, createWorkspace, type TestWorkspace } from '../support/factories.js';

const path = '/account/api-keys';
const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();

let testDatabase: TestDatabase;
let api: TestApi;
let workspace: TestWorkspace;
let other: TestWorkspace;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  api = await startApi(testDatabase.database);
  workspace = await createWorkspace(testDatabase.database);
  other = await createWorkspace(testDatabase.database);
});
afterAll(async () => {
  await api.close();
  await testDatabase.drop();
});

/** An account of its own with a key that may do everything. */
async function someone() {
  const { accountId } = await addMember(workspace);
  return { accountId, apiKey: await addApiKey(testDatabase.database, accountId) };
}

describe('creating a key', () => {
  it('gives the secret once, and the key works', async () => {
    const { apiKey } = await someone();
    const body = { name: 'Import job', scopes: ['account:read', 'members:read'], expiresAt: nextYear };
    const created = await api.request('POST', path, { apiKey, body });
    expect(created).toMatchObject({ status: 201, body: { ...body, revokedAt: null, lastUsedAt: null } });
    const { secret, ...shown } = created.body;
    expect(secret).toMatch(/^wes_[0-9A-Za-z]{36}$/);
    expect(secret.slice(4, 12)).toBe(shown.prefix);
    expect((await api.request('GET', `${path}/${shown.id}`, { apiKey })).body).toEqual(shown);
    expect(await api.request('GET', '/account', { apiKey: secret })).toMatchObject({ status: 200 });
  });

  it('cannot grant a scope that the credential lacks', async () => {
    const { accountId } = await someone();
    const apiKey = await addApiKey(testDatabase.database, accountId, { scopes: ['account:write'] });
    const body = { name: 'More', scopes: ['account:write', 'chats:admin'] };
    const answer = await api.request('POST', path, { apiKey, body });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.body.detail).toContain('chats:admin');
  });

  it('can make a key that is good for one workspace only', async () => {
    const { apiKey } = await someone();
    const body = { name: 'One place', scopes: ['workspace:read'], workspaceId: workspace.workspaceId };
    const { secret } = (await api.request('POST', path, { apiKey, body })).body;
    expect(await api.request('GET', workspace.path(''), { apiKey: secret })).toMatchObject({ status: 200 });
  });

  it('refuses a workspace of which the account is no member', async () => {
    const { apiKey } = await someone();
    const body = { name: 'Elsewhere', scopes: ['workspace:read'], workspaceId: other.workspaceId };
    const answer = await api.request('POST', path, { apiKey, body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/workspaceId' }] } });
  });

  it('keeps to the one workspace that the credential is good for', async () => {
    const { accountId } = await someone();
    const { workspaceId } = workspace;
    const apiKey = await addApiKey(testDatabase.database, accountId, { workspaceId });
    const same = await api.request('POST', path, {
      apiKey,
      body: { name: 'Same', scopes: ['workspace:read'] },
    });
    expect(same.body).toMatchObject({ workspaceId });
    const body = { name: 'Else', scopes: ['workspace:read'], workspaceId: other.workspaceId };
    expect(await api.request('POST', path, { apiKey, body })).toMatchObject({ status: 403 });
  });

  it('outlives no key that it is made with', async () => {
    const { accountId } = await someone();
    const [end, later] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)];
    const apiKey = await addApiKey(testDatabase.database, accountId, { expiresAt: end });
    const make = (expiresAt?: string | null) =>
      api.request('POST', path, { apiKey, body: { name: 'Next', scopes: ['chats:read'], expiresAt } });

    for (const unbounded of [undefined, null]) {
      expect(await make(unbounded)).toMatchObject({ status: 201, body: { expiresAt: end.toISOString() } });
    }
    expect(await make(end.toISOString())).toMatchObject({ status: 201 });
    expect(await make(later.toISOString())).toMatchObject({ status: 403 });
  });

  it.each([
    [{ scopes: ['chats:read'] }, '/name'],
    [{ name: ' ', scopes: ['chats:read'] }, '/name'],
    [{ name: 'A' }, '/scopes'],
    [{ name: 'A', scopes: [] }, '/scopes'],
    [{ name: 'A', scopes: ['all:everything'] }, '/scopes/0'],
    [{ name: 'A', scopes: ['chats:read', 'chats:read'] }, '/scopes'],
    [{ name: 'A', scopes: ['chats:read'], expiresAt: '2001-01-01T00:00:00Z' }, '/expiresAt'],
    [{ name: 'A', scopes: ['chats:read'], expiresAt: 'soon' }, '/expiresAt'],
    [{ name: 'A', scopes: ['chats:read'], hash: 'x' }, '/hash'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await api.request('POST', path, { apiKey: workspace.admin.apiKey, body });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('is 401 without credentials and 403 without the scope', async () => {
    const body = { name: 'A', scopes: ['chats:read'] };
    expect(await api.request('POST', path, { body })).toMatchObject({ status: 401 });
    const { accountId } = await someone();
    const apiKey = await addApiKey(testDatabase.database, accountId, {
      scopes: ['account:read', 'chats:read'],
    });
    expect(await api.request('POST', path, { apiKey, body })).toMatchObject({ status: 403 });
  });
});

describe('listing keys', () => {
  it("shows one's own, newest first, and never a secret or a hash", async () => {
    const { apiKey } = await someone();
    for (const name of ['First', 'Second']) {
      await api.request('POST', path, { apiKey, body: { name, scopes: ['chats:read'] } });
    }
    const answer = await api.request('GET', path, { apiKey, query: { pageSize: 2 } });
    expect(answer.body).toMatchObject({
      total: 4,
      totalPages: 2,
      items: [{ name: 'Second' }, { name: 'First' }],
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|hash/);
  });

  it('shows a credential that is good for one workspace no keys that reach further', async () => {
    const { accountId } = await someone();
    const { workspaceId } = workspace;
    const apiKey = await addApiKey(testDatabase.database, accountId, { workspaceId });
    const answer = await api.request('GET', path, { apiKey });
    expect(answer.body.items).toMatchObject([{ workspaceId }]);
  });
});

describe('one key', () => {
  it('can be renamed', async () => {
    const { apiKey } = await someone();
    const { id } = (await api.request('GET', path, { apiKey })).body.items[0];
    const answer = await api.request('PUT', `${path}/${id}`, { apiKey, body: { name: 'Renamed' } });
    expect(answer).toMatchObject({ status: 200, body: { id, name: 'Renamed' } });
  });

  it('is refused everywhere once revoked, and stays listed', async () => {
    const { apiKey } = await someone();
    const body = { name: 'Lost', scopes: ['account:read'] };
    const { id, secret } = (await api.request('POST', path, { apiKey, body })).body;
    expect(await api.request('DELETE', `${path}/${id}`, { apiKey })).toMatchObject({ status: 204 });
    expect(await api.request('GET', '/account', { apiKey: secret })).toMatchObject({ status: 401 });
    const { revokedAt } = (await api.request('GET', `${path}/${id}`, { apiKey })).body;
    expect(revokedAt).toMatch(/Z$/);
    await api.request('DELETE', `${path}/${id}`, { apiKey });
    expect((await api.request('GET', `${path}/${id}`, { apiKey })).body).toMatchObject({ revokedAt });
  });

  it("is 404 when it is someone else's", async () => {
    const { apiKey } = await someone();
    const theirs = (await api.request('GET', path, { apiKey: other.admin.apiKey })).body.items[0].id;
    const refused = await Promise.all([
      api.request('GET', `${path}/${theirs}`, { apiKey }),
      api.request('PUT', `${path}/${theirs}`, { apiKey, body: { name: 'Mine' } }),
      api.request('DELETE', `${path}/${theirs}`, { apiKey }),
    ]);
    expect(refused.map((answer) => answer.status)).toEqual([404, 404, 404]);
  });
});
