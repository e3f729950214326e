import { describe, expect, it } from 'vitest';
import { openBrowser, signInAs, type TestBrowser } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { addApiKey, addMember } from '../../support/workspace/factories.js';

const path = '/account/api-keys';
const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();

const { api, workspace, otherWorkspace: other } = useApi();

/** A new account with a key that has all scopes. */
async function someone() {
  const { accountId } = await addMember(workspace);
  return { accountId, apiKey: await addApiKey(workspace.database, accountId) };
}

/** The only key of a new account, with all scopes. */
async function ownKey(): Promise<string> {
  return (await someone()).apiKey;
}

/** A key that is created with a session. */
const madeIn = async (browser: TestBrowser, body: object) =>
  (await browser.request('POST', path, { body })).body;

/** A key that is created with another key. */
async function made(apiKey: string, more: object = {}) {
  const body = { name: 'Made', scopes: ['keys:write', 'account:read', 'chats:read'], ...more };
  const answer = await api.request('POST', path, { apiKey, body });
  expect(answer.status).toBe(201);
  return answer.body as { id: number; secret: string; parentId: number | null; expiresAt: string };
}

const narrowKey = async (options: Parameters<typeof addApiKey>[2]) =>
  addApiKey(workspace.database, (await someone()).accountId, options);

const statusOf = async (apiKey: string) => (await api.request('GET', '/account', { apiKey })).status;

const signedIn = (accountId: number) => signInAs(workspace.database, accountId, openBrowser(api));

describe('creating an API key', () => {
  it('returns a working secret once', async () => {
    const apiKey = await ownKey();
    const body = { name: 'Import job', scopes: ['account:read', 'members:read'], expiresAt: nextYear };
    const created = await api.request('POST', path, { apiKey, body });
    expect(created).toMatchObject({ status: 201, body: { ...body, revokedAt: null, lastUsedAt: null } });
    const { secret, ...shown } = created.body;
    expect(secret).toMatch(/^wes_[0-9A-Za-z]{36}$/);
    expect(secret.slice(4, 12)).toBe(shown.prefix);
    expect((await api.request('GET', `${path}/${shown.id}`, { apiKey })).body).toEqual(shown);
    expect(await api.request('GET', '/account', { apiKey: secret })).toMatchObject({ status: 200 });
  });

  it('rejects a scope that the credential lacks', async () => {
    const apiKey = await narrowKey({ scopes: ['keys:write'] });
    const body = { name: 'More', scopes: ['keys:write', 'chats:admin'] };
    const answer = await api.request('POST', path, { apiKey, body });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.body.detail).toContain('chats:admin');
  });

  it('can restrict the key to one workspace', async () => {
    const apiKey = await ownKey();
    const body = { name: 'One place', scopes: ['workspace:read'], workspaceId: workspace.workspaceId };
    const { secret } = (await api.request('POST', path, { apiKey, body })).body;
    expect(await api.request('GET', workspace.path(''), { apiKey: secret })).toMatchObject({ status: 200 });
  });

  it('refuses a workspace without membership of the account', async () => {
    const apiKey = await ownKey();
    const body = { name: 'Elsewhere', scopes: ['workspace:read'], workspaceId: other.workspaceId };
    const answer = await api.request('POST', path, { apiKey, body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/workspaceId' }] } });
  });

  it('keeps the workspace restriction of the credential', async () => {
    const { workspaceId } = workspace;
    const apiKey = await narrowKey({ workspaceId });
    const body = { name: 'Same', scopes: ['workspace:read'] };
    const same = await api.request('POST', path, { apiKey, body });
    expect(same.body).toMatchObject({ workspaceId });
    const elsewhere = { ...body, workspaceId: other.workspaceId };
    expect(await api.request('POST', path, { apiKey, body: elsewhere })).toMatchObject({ status: 403 });
  });

  it('expires after a year by default', async () => {
    const apiKey = await ownKey();
    const { body } = await api.request('POST', path, { apiKey, body: { name: 'A', scopes: ['chats:read'] } });
    const days = (Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 86_400_000;
    expect(days).toBe(365);
  });

  it('is limited to a hundred active keys, also for concurrent requests', async () => {
    const { accountId, apiKey } = await someone();
    const make = () => api.request('POST', path, { apiKey, body: { name: 'A', scopes: ['chats:read'] } });
    const now = new Date();
    for (let index = 0; index < 97; index += 1) await addApiKey(workspace.database, accountId);
    await addApiKey(workspace.database, accountId, { expiresAt: now });

    const answers = await Promise.all(Array.from({ length: 4 }, make));

    // Two keys are there from the beginning, so one more makes a hundred.
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused).toMatchObject({ body: { code: 'too_many_api_keys' } });
  });

  it('rejects an expiry later than that of the creating key', async () => {
    const [end, later] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)];
    const apiKey = await narrowKey({ expiresAt: end });
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
    [{ name: 'A', scopes: ['chats:read'], expiresAt: '2999-01-01T00:00:00Z' }, '/expiresAt'],
    [{ name: 'A', scopes: ['chats:read'], hash: 'x' }, '/hash'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await api.request('POST', path, { apiKey: workspace.admin.apiKey, body });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('returns 401 without credentials and 403 without the scope', async () => {
    const body = { name: 'A', scopes: ['chats:read'] };
    expect(await api.request('POST', path, { body })).toMatchObject({ status: 401 });
    const apiKey = await narrowKey({ scopes: ['account:read', 'account:write', 'chats:read'] });
    const refused = await api.request('POST', path, { apiKey, body });
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(refused.body.detail).toContain('keys:write');
  });
});

describe('listing API keys', () => {
  it('returns the account’s own keys, newest first, without secrets and hashes', async () => {
    const apiKey = await ownKey();
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

  it('returns only the keys of the workspace to which the credential is restricted', async () => {
    const { workspaceId } = workspace;
    const apiKey = await narrowKey({ workspaceId });
    const answer = await api.request('GET', path, { apiKey });
    expect(answer.body.items).toMatchObject([{ workspaceId }]);
  });
});

describe('an API key', () => {
  it('can be renamed', async () => {
    const apiKey = await ownKey();
    const { id } = (await api.request('GET', path, { apiKey })).body.items[0];
    const answer = await api.request('PUT', `${path}/${id}`, { apiKey, body: { name: 'Renamed' } });
    expect(answer).toMatchObject({ status: 200, body: { id, name: 'Renamed' } });
  });

  it('is rejected everywhere once it is revoked, and remains listed', async () => {
    const apiKey = await ownKey();
    const body = { name: 'Lost', scopes: ['account:read'] };
    const { id, secret } = (await api.request('POST', path, { apiKey, body })).body;
    expect(await api.request('DELETE', `${path}/${id}`, { apiKey })).toMatchObject({ status: 204 });
    expect(await api.request('GET', '/account', { apiKey: secret })).toMatchObject({ status: 401 });
    const { revokedAt } = (await api.request('GET', `${path}/${id}`, { apiKey })).body;
    expect(revokedAt).toMatch(/Z$/);
    await api.request('DELETE', `${path}/${id}`, { apiKey });
    expect((await api.request('GET', `${path}/${id}`, { apiKey })).body).toMatchObject({ revokedAt });
  });

  it('returns 404 for another account', async () => {
    const apiKey = await ownKey();
    const theirs = (await api.request('GET', path, { apiKey: other.admin.apiKey })).body.items[0].id;
    const refused = await Promise.all([
      api.request('GET', `${path}/${theirs}`, { apiKey }),
      api.request('PUT', `${path}/${theirs}`, { apiKey, body: { name: 'Mine' } }),
      api.request('DELETE', `${path}/${theirs}`, { apiKey }),
    ]);
    expect(refused.map((answer) => answer.status)).toEqual([404, 404, 404]);
  });
});

describe('keys that were created with a key', () => {
  it('are revoked with it, over all generations', async () => {
    const browser = await signedIn((await someone()).accountId);
    const root = await madeIn(browser, {
      name: 'Root',
      scopes: ['keys:write', 'account:read', 'chats:read'],
    });
    const child = await made(root.secret);
    const grandchild = await made(child.secret);
    const beside = await madeIn(browser, { name: 'Beside', scopes: ['account:read'] });
    expect([root.parentId, child.parentId, grandchild.parentId]).toEqual([null, root.id, child.id]);

    expect(await browser.request('DELETE', `${path}/${root.id}`)).toMatchObject({ status: 204 });

    const statuses = await Promise.all([root, child, grandchild].map(({ secret }) => statusOf(secret)));
    expect(statuses).toEqual([401, 401, 401]);
    expect(await statusOf(beside.secret)).toBe(200);
  });

  it('are not left valid when it is revoked concurrently', async () => {
    const browser = await signedIn((await someone()).accountId);
    for (let round = 0; round < 5; round += 1) {
      const body = { name: 'Root', scopes: ['keys:write', 'account:read'] };
      const root = await madeIn(browser, body);
      const [child] = await Promise.all([
        api.request('POST', path, { apiKey: root.secret, body }),
        browser.request('DELETE', `${path}/${root.id}`),
      ]);
      expect([201, 401]).toContain(child.status);
      if (child.status === 201) expect(await statusOf(child.body.secret)).toBe(401);
    }
  });

  it('lose its removed scopes, and expire no later than it', async () => {
    const apiKey = await ownKey();
    const root = await made(apiKey);
    const child = await made(root.secret);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const change = { scopes: ['account:read'], expiresAt };

    const answer = await api.request('PUT', `${path}/${root.id}`, { apiKey, body: change });

    expect(answer).toMatchObject({ status: 200, body: { ...change, name: 'Made' } });
    expect((await api.request('GET', `${path}/${child.id}`, { apiKey })).body).toMatchObject(change);
  });
});

describe('the management of keys by a key', () => {
  it('cannot change, rotate or revoke keys that it has not created', async () => {
    const { accountId, apiKey: wider } = await someone();
    const narrow = await addApiKey(workspace.database, accountId, { scopes: ['keys:write', 'account:read'] });
    const { items } = (await api.request('GET', path, { apiKey: narrow })).body;
    const widerId = items.find((key: { prefix: string }) => wider.startsWith(`wes_${key.prefix}`)).id;
    const denied = { status: 403, body: { code: 'forbidden' } };
    const ask = (method: string, rest: string, body?: object) =>
      api.request(method, `${path}/${widerId}${rest}`, { apiKey: narrow, ...(body && { body }) });

    expect(await ask('DELETE', '')).toMatchObject(denied);
    expect(await ask('PUT', '', { scopes: ['account:read'] })).toMatchObject(denied);
    expect(await ask('POST', '/rotate', {})).toMatchObject(denied);
    expect(await statusOf(wider)).toBe(200);
  });

  it('can narrow a key, but never widen or reactivate it', async () => {
    const apiKey = await ownKey();
    const key = await made(apiKey);
    const change = (body: object) => api.request('PUT', `${path}/${key.id}`, { apiKey, body });

    const answer = await change({ scopes: ['account:read', 'chats:admin'] });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/scopes' }] } });
    expect(await change({ scopes: ['account:read'] })).toMatchObject({ status: 200 });
    expect(await change({ scopes: ['account:read', 'chats:read'] })).toMatchObject({ status: 400 });
    expect(await change({ expiresAt: '2001-01-01T00:00:00Z' })).toMatchObject({ status: 400 });

    await api.request('DELETE', `${path}/${key.id}`, { apiKey });
    const ended = { status: 409, body: { code: 'api_key_ended' } };
    expect(await change({ expiresAt: nextYear })).toMatchObject(ended);
    expect(await api.request('POST', `${path}/${key.id}/rotate`, { apiKey, body: {} })).toMatchObject(ended);
    expect(await change({ name: 'Ended' })).toMatchObject({ status: 200, body: { name: 'Ended' } });
  });
});

describe('rotating an API key', () => {
  const atOnce = { overlapSeconds: 0 };

  it('creates a key with the same rights and keeps the previous one for the overlap', async () => {
    const browser = await signedIn((await someone()).accountId);
    const body = { name: 'Job', scopes: ['keys:write', 'account:read'], expiresAt: nextYear };
    const before = await madeIn(browser, body);
    const child = await made(before.secret, { scopes: ['account:read'] });

    const answer = await browser.request('POST', `${path}/${before.id}/rotate`, { body: {} });

    expect(answer).toMatchObject({ status: 201, body: { ...body, parentId: null } });
    expect(answer.body.id).not.toBe(before.id);
    expect(await statusOf(answer.body.secret)).toBe(200);
    expect(await statusOf(before.secret)).toBe(200);
    const old = (await browser.request('GET', `${path}/${before.id}`)).body;
    expect(Date.parse(old.expiresAt) - Date.parse(answer.body.createdAt)).toBe(86_400_000);

    await browser.request('DELETE', `${path}/${answer.body.id}`);
    expect(await statusOf(child.secret)).toBe(401);
  });

  it('ends the previous key at once without an overlap', async () => {
    const browser = await signedIn((await someone()).accountId);
    const before = await madeIn(browser, { name: 'Job', scopes: ['account:read'] });
    const { body } = await browser.request('POST', `${path}/${before.id}/rotate`, { body: atOnce });
    expect([await statusOf(before.secret), await statusOf(body.secret)]).toEqual([401, 200]);
  });

  it('does not protect a stolen key from a later revocation', async () => {
    const { accountId, apiKey } = await someone();
    const stolen = await made(apiKey);
    const request = { apiKey: stolen.secret, body: atOnce };
    const rotated = await api.request('POST', `${path}/${stolen.id}/rotate`, request);
    expect(rotated).toMatchObject({ status: 201, body: { parentId: stolen.id } });

    const browser = await signedIn(accountId);
    await browser.request('DELETE', `${path}/${stolen.id}`);

    expect(await statusOf(rotated.body.secret)).toBe(401);
  });
});
