import { describe, expect, it } from 'vitest';
import { openBrowser, signInAs } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addApiKey,
  addMember,
  createWorkspace,
  type TestMember,
} from '../../../support/workspace/factories.js';

const { api, workspace, asAdmin } = useApi();

const signedIn = ({ accountId }: TestMember) => signInAs(workspace.database, accountId, openBrowser(api));

const me = (apiKey: string, of = workspace) => api.request('GET', of.path('/members/me'), { apiKey });
const setState = (id: number, state: 'disable' | 'enable', apiKey = workspace.admin.apiKey) =>
  api.request('POST', workspace.path(`/members/${id}/${state}`), { apiKey });

describe('GET /members/me', () => {
  it('returns the caller’s member, role and permissions', async () => {
    const own = await addMember(workspace, {
      permissions: ['chats:read', 'members:read', 'data:read:visits'],
    });
    const { status, body } = await me(own.apiKey);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      member: { id: own.memberId, uuid: own.memberUuid, disabledAt: null },
      role: { id: own.role.id, name: own.role.name, useAdmin: false, manageWorkspace: false },
      permissions: ['chats:read', 'data:read:visits', 'members:read'],
    });
  });

  it('omits permissions that the credential’s scopes do not include', async () => {
    const { accountId } = await addMember(workspace, { permissions: ['chats:read', 'members:read'] });
    const apiKey = await addApiKey(workspace.database, accountId, { scopes: ['members:read'] });
    expect((await me(apiKey)).body.permissions).toEqual(['members:read']);
    const blind = await addApiKey(workspace.database, accountId, { scopes: ['chats:read'] });
    expect(await me(blind)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it('returns 404 in a workspace without membership', async () => {
    const other = await createWorkspace(workspace.database);
    expect(await me(workspace.admin.apiKey, other)).toMatchObject({ status: 404 });
  });
});

describe('DELETE /members/me', () => {
  it('removes the member at once', async () => {
    const plain = await addMember(workspace);
    const browser = await signedIn(plain);
    expect(await browser.request('DELETE', workspace.path('/members/me'))).toMatchObject({ status: 204 });
    expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 404 });
    expect(await me(plain.apiKey)).toMatchObject({ status: 404 });
  });

  it('rejects API keys', async () => {
    const { apiKey } = await addMember(workspace);
    const answer = await api.request('DELETE', workspace.path('/members/me'), { apiKey });
    expect(answer).toMatchObject({ status: 403, body: { code: 'session_required' } });
    expect(await me(apiKey)).toMatchObject({ status: 200 });
  });

  it('returns 409 for the last admin, also when the last two leave concurrently', async () => {
    const own = await createWorkspace(workspace.database);
    const second = await addMember(own, { role: own.roles.admin });
    const browsers = await Promise.all([signedIn(own.admin), signedIn(second)]);
    const answers = await Promise.all(
      browsers.map((browser) => browser.request('DELETE', own.path('/members/me'))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ body: { code: 'last_admin' } });
  });
});

describe('a disabled member', () => {
  it('is rejected with every credential until it is enabled', async () => {
    const plain = await addMember(workspace);
    const browser = await signedIn(plain);
    const answers = async () => [
      await browser.request('GET', workspace.path('')),
      await api.request('GET', workspace.path(''), { apiKey: plain.apiKey }),
    ];

    const disabled = await setState(plain.memberId, 'disable');
    expect(disabled).toMatchObject({ status: 200, body: { disabledAt: expect.any(String) } });
    for (const answer of await answers()) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'member_disabled' } });
    }
    expect((await setState(plain.memberId, 'disable')).body).toEqual(disabled.body);

    expect(await setState(plain.memberId, 'enable')).toMatchObject({ body: { disabledAt: null } });
    expect((await answers()).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('loses its token sessions, and cannot sign in with a token', async () => {
    const plain = await addMember(workspace);
    const token = async () => (await asAdmin('POST', `/members/${plain.memberId}/tokens`, {})).body.token;
    const [used, unused] = [await token(), await token()];
    const browser = openBrowser(api);
    const answer = await browser.request('POST', '/sessions', { body: { memberToken: used } });
    expect(answer).toMatchObject({ status: 201 });

    await setState(plain.memberId, 'disable');

    expect(await browser.request('GET', '/sessions')).toMatchObject({ status: 401 });
    const again = await openBrowser(api).request('POST', '/sessions', { body: { memberToken: unused } });
    expect(again).toMatchObject({ status: 401, body: { code: 'login_refused' } });
  });

  it('cannot be the last admin, the caller or an assistant, and disabling requires members:write', async () => {
    const own = await createWorkspace(workspace.database);
    const second = await addMember(own, { role: own.roles.admin });
    const disable = (id: number, apiKey: string) =>
      api.request('POST', own.path(`/members/${id}/disable`), { apiKey });

    const answer = await disable(own.admin.memberId, own.admin.apiKey);
    expect(answer).toMatchObject({ body: { code: 'own_member' } });
    const answers = await Promise.all([
      disable(second.memberId, own.admin.apiKey),
      disable(own.admin.memberId, second.apiKey),
    ]);
    // The second request finds its caller disabled, or is rejected because it would disable the last admin.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await disable(own.admin.memberId, own.member.apiKey)).toMatchObject({ status: 403 });
  });

  it('does not count as a remaining admin', async () => {
    const own = await createWorkspace(workspace.database);
    const second = await addMember(own, { role: own.roles.admin });
    await api.request('POST', own.path(`/members/${second.memberId}/disable`), { apiKey: own.admin.apiKey });
    const browser = await signedIn(own.admin);
    const answer = await browser.request('DELETE', own.path('/members/me'));
    expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } });
  });
});
