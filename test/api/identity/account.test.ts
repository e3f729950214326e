import { describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/use-api.js';
import { addApiKey } from '../../support/workspace/factories.js';

const { api, workspace } = useApi();

describe('GET /account', () => {
  it('returns the account of the credential', async () => {
    const { apiKey, accountId, accountUuid } = workspace.member;
    const answer = await api.request('GET', '/account', { apiKey });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: accountId, uuid: accountUuid, loggedIn: true, enabled: true });
    expect(answer.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('returns loggedIn false without credentials', async () => {
    const answer = await api.request('GET', '/account');
    expect(answer).toMatchObject({
      status: 200,
      body: { loggedIn: false, id: null, email: null, enabled: false },
    });
  });

  it('returns 401 for wrong credentials', async () => {
    expect(await api.request('GET', '/account', { apiKey: 'wes_wrong' })).toMatchObject({ status: 401 });
  });

  it('requires the scope account:read', async () => {
    const apiKey = await addApiKey(workspace.database, workspace.member.accountId, {
      scopes: ['chats:read'],
    });
    const answer = await api.request('GET', '/account', { apiKey });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.body.detail).toContain('account:read');
  });
});

describe('POST /account', () => {
  it('changes the given fields and keeps the rest', async () => {
    const { apiKey } = workspace.member;
    const before = (await api.request('GET', '/account', { apiKey })).body;
    const body = { name: '  Robin Example ', tosAccepted: true, locale: 'de-at', timezone: 'Europe/Vienna' };
    const answer = await api.request('POST', '/account', { apiKey, body });
    const changed = { name: 'Robin Example', tosAccepted: true, locale: 'de-AT', timezone: 'Europe/Vienna' };
    expect(answer).toMatchObject({ status: 200, body: { ...before, ...changed } });
    expect((await api.request('GET', '/account', { apiKey })).body).toEqual(answer.body);
  });

  it('reports all errors at once', async () => {
    const { apiKey } = workspace.member;
    const body = { locale: 'no language', timezone: 'Mars/Olympus' };
    const answer = await api.request('POST', '/account', { apiKey, body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      '/locale',
      '/timezone',
    ]);
  });

  it.each([
    [{ isSuperuser: true }, '/isSuperuser'],
    [{ email: 'someone@example.com' }, '/email'],
    [{ name: 7 }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ tosAccepted: 'yes' }, '/tosAccepted'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await api.request('POST', '/account', { apiKey: workspace.member.apiKey, body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it('returns 401 without credentials', async () => {
    const answer = await api.request('POST', '/account', { body: {} });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it('requires the scope account:write', async () => {
    const apiKey = await addApiKey(workspace.database, workspace.member.accountId, {
      scopes: ['account:read'],
    });
    expect(await api.request('POST', '/account', { apiKey, body: {} })).toMatchObject({ status: 403 });
  });
});
