import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../support/api/access-cases.js';
import { openBrowser, type TestBrowser } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { days, MovedClock, minutes } from '../../support/lib/moved-clock.js';
import { addApiKey, addMember, addMemberRow, addRole } from '../../support/workspace/factories.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));

const { api, workspace, otherWorkspace: other, asAdmin } = useApi({ clock });

const mint = (memberId: number, apiKey = workspace.admin.apiKey, place = workspace) =>
  api.request('POST', place.path(`/members/${memberId}/tokens`), { apiKey });
const addPerson = () => addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
const refused = { status: 401, body: { code: 'login_refused' } };
const enter = (memberToken: string, browser: Pick<TestBrowser, 'request'> = openBrowser(api)) =>
  browser.request('POST', '/sessions', { body: { memberToken } });
const addPersonAs = async (memberRoleId: number) => (await addMemberRow(workspace, { memberRoleId })).id;

/** Deletes one member and makes another an admin, behind the API. */
const deleteAndRaise = (gone: number, raised: number) =>
  workspace.within(async (tx) => {
    await tx('members').where({ id: gone }).update({ deleted_at: clock.now() });
    await tx('members').where({ id: raised }).update({ member_role_id: workspace.roles.admin.id });
  });

async function signedIn(memberId: number) {
  const { body } = await mint(memberId);
  const browser = openBrowser(api);
  const session = { memberId, workspaceId: workspace.workspaceId, current: true };
  expect(await enter(body.token, browser)).toMatchObject({ status: 201, body: session });
  return browser;
}

describeAccess(
  { api, workspace, otherWorkspace: other },
  ['createMemberToken', 'listMemberTokens', 'revokeMemberToken', 'listMemberSessions', 'endMemberSession'],
  () => {
    const path = `/members/${workspace.member.memberId}`;
    const noSession = '00000000-0000-4000-8000-000000000000';
    const common = { needsPermission: true, namesItem: true } as const;
    return [
      { ...common, method: 'POST', path: `${path}/tokens`, scope: 'members:impersonate' },
      { ...common, method: 'GET', path: `${path}/tokens`, scope: 'members:write' },
      { ...common, method: 'DELETE', path: `${path}/tokens/1`, scope: 'members:write' },
      { ...common, method: 'GET', path: `${path}/sessions`, scope: 'members:write' },
      { ...common, method: 'DELETE', path: `${path}/sessions/${noSession}`, scope: 'members:write' },
    ];
  },
);

describe('a member token', () => {
  it('is returned once, stored as a hash and valid for an hour', async () => {
    const { id } = await addPerson();
    const answer = await mint(id);
    expect(answer).toMatchObject({
      status: 201,
      body: { token: expect.stringMatching(/^wmt_[\w-]{43}$/), expiresAt: '2031-05-01T13:00:00.000Z' },
    });
    const rows = await workspace.database.inIdentity(async (tx) =>
      JSON.stringify((await tx.raw('select t::text from identity.member_tokens t')).rows),
    );
    expect(rows).toContain(String(id));
    expect(rows).not.toContain(answer.body.token);
  });

  it('starts one session for fifty concurrent attempts', async () => {
    const { body } = await mint((await addPerson()).id);
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(body.token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body: { code } }) => code === 'login_refused')).toHaveLength(49);
  });

  it('is rejected after its hour, and if it is malformed or unknown', async () => {
    const { body } = await mint((await addPerson()).id);
    clock.advance(minutes(60));
    for (const memberToken of [body.token, `wmt_${'a'.repeat(43)}`, 'wmt_', 'x']) {
      expect(await enter(memberToken)).toMatchObject(refused);
    }
  });

  it('is rejected if the member has been deleted or made an admin', async () => {
    const [gone, raised] = [await addPerson(), await addPerson()];
    const tokens = [(await mint(gone.id)).body.token, (await mint(raised.id)).body.token];
    await deleteAndRaise(gone.id, raised.id);
    for (const memberToken of tokens) {
      expect(await enter(memberToken)).toMatchObject(refused);
    }
  });

  it.each([
    [{ permissions: ['members:write'] }],
    [{ permissions: ['workspace:write'] }],
    [{ useAdmin: true }],
    [{ manageWorkspace: true }],
  ])('is not issued for a role with %j', async (grants) => {
    const role = await addRole(workspace, grants);
    const answer = await mint(await addPersonAs(role.id));
    expect(answer).toMatchObject({ status: 409, body: { code: 'member_is_admin' } });
  });

  it('is rejected while the member’s account is disabled, and accepted after that', async () => {
    const { memberId, accountId } = await addMember(workspace);
    const { accounts } = workspace.database.identity;
    const { body } = await mint(memberId);

    await accounts.update(accountId, { enabled: false });
    expect(await enter(body.token)).toMatchObject(refused);

    await accounts.update(accountId, { enabled: true });
    expect((await enter(body.token)).status).toBe(201);
  });

  it('is not issued for an assistant', async () => {
    const memberRoleId = workspace.roles.member.id;
    const { id } = await addMemberRow(workspace, { memberRoleId, kind: 'assistant' });
    expect(await mint(id)).toMatchObject({ status: 409 });
  });

  it('requires the scope and the permission to act as members, and gives the member’s rights', async () => {
    const { id } = await addPerson();
    const noScope = await addApiKey(workspace.database, workspace.admin.accountId, {
      scopes: ['members:write', 'account:create'],
    });
    expect(await mint(id, noScope)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    for (const permissions of [[], ['account:create']] as const) {
      const other = await addMember(workspace, { permissions });
      expect(await mint(id, other.apiKey)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    const deputy = await addMember(workspace, { permissions: ['members:impersonate'] });
    expect(await mint(id, deputy.apiKey)).toMatchObject({ status: 201 });
    const reader = await addRole(workspace, { permissions: ['chats:read'] });
    const readerId = await addPersonAs(reader.id);
    expect(await mint(readerId, deputy.apiKey)).toMatchObject({ status: 403 });
    expect(await mint(readerId)).toMatchObject({ status: 201 });
    // A member that may act as members is an admin, and tokens are not issued for admins.
    expect(await mint(deputy.memberId)).toMatchObject({ status: 409 });
  });

  it('returns 404 in another workspace', async () => {
    const { id } = await addPerson();
    expect(await api.request('POST', workspace.path(`/members/${id}/tokens`))).toMatchObject({ status: 401 });
    expect(await mint(id, other.admin.apiKey)).toMatchObject({ status: 404 });
    expect(await mint(id, other.admin.apiKey, other)).toMatchObject({ status: 404 });
    expect(await mint(999_999_999)).toMatchObject({ status: 404 });
  });
});

describe("a member's session", () => {
  it('acts as that member, in that workspace only', async () => {
    const { memberId, accountId } = workspace.member;
    // The same person is also a member of another workspace.
    const there = await addMemberRow(other, { memberRoleId: other.roles.admin.id });
    const membership = { workspaceId: other.workspaceId, memberId: there.id, accountId };
    await workspace.database.identity.memberships.add(membership);
    const browser = await signedIn(memberId);

    const own = await browser.request('GET', workspace.path(`/members/${memberId}`));
    expect(own).toMatchObject({ status: 200, body: { id: memberId } });
    const body = { name: 'No' };
    const answer = await browser.request('POST', workspace.path('/members'), { body });
    expect(answer).toMatchObject({ status: 403 });
    expect(await browser.request('GET', other.path(''))).toMatchObject({ status: 404 });
  });

  it('gives no access to the member’s account', async () => {
    const browser = await signedIn(workspace.member.memberId);
    const account = await browser.request('GET', '/account');
    expect(account).toMatchObject({ status: 200, body: { loggedIn: false, id: null, email: null } });
    const denied = { status: 403, body: { code: 'account_session_required' } };
    const calls = [
      ['POST', '/account', {}],
      ['GET', '/account/api-keys', undefined],
      ['POST', '/account/api-keys', { name: 'Key', scopes: ['chats:read'] }],
      ['GET', '/workspaces', undefined],
      ['POST', '/workspaces', { name: 'Mine' }],
      ['PUT', '/accounts/00000000-0000-4000-8000-000000000000', { enabled: false }],
    ] as const;
    for (const [method, path, body] of calls) {
      expect(await browser.request(method, path, { body })).toMatchObject(denied);
    }
  });

  it('lists and ends its own sessions only', async () => {
    const person = await addPerson();
    const [here, there] = [await signedIn(person.id), await signedIn(person.id)];
    await signedIn(workspace.member.memberId);
    expect((await here.request('GET', '/sessions')).body.total).toBe(2);
    await here.request('DELETE', '/sessions');
    expect(await there.request('GET', '/sessions')).toMatchObject({ status: 401 });
    expect(await here.request('DELETE', '/sessions/current')).toMatchObject({ status: 204 });
    expect(here.token).toBeUndefined();
  });

  it('ends when the member is deleted or becomes an admin, or its account is disabled', async () => {
    const linked = await addMember(workspace);
    const [gone, raised] = [await addPerson(), await addPerson()];
    const browsers = [await signedIn(gone.id), await signedIn(raised.id), await signedIn(linked.memberId)];
    await deleteAndRaise(gone.id, raised.id);
    await workspace.database.identity.accounts.update(linked.accountId, { enabled: false });
    const statuses = (path: string) =>
      Promise.all(browsers.map(async (browser) => (await browser.request('GET', path)).status));
    expect(await statuses(workspace.path(''))).toEqual([404, 401, 401]);
    expect(await statuses('/sessions')).toEqual([401, 401, 401]);
  });

  it.each([[{ permissions: ['members:write'] }], [{ useAdmin: true }], [{ manageWorkspace: true }]])(
    'ends when its role gains %j',
    async (grants) => {
      const role = await addRole(workspace, {});
      const browser = await signedIn(await addPersonAs(role.id));
      const { apiKey } = workspace.admin;
      const path = workspace.path(`/member-roles/${role.id}`);
      expect(await api.request('PUT', path, { apiKey, body: grants })).toMatchObject({ status: 200 });

      expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 401 });
      expect(await browser.request('GET', '/sessions')).toMatchObject({ status: 401 });
      expect(await browser.request('GET', '/account')).toMatchObject({ body: { loggedIn: false } });
    },
  );

  describe('after a role change', () => {
    const update = (path: string, body: object) =>
      api.request('PUT', workspace.path(path), { apiKey: workspace.admin.apiKey, body });
    const status = async (browser: ReturnType<typeof openBrowser>, path: string) =>
      (await browser.request('GET', workspace.path(path))).status;
    const others = () => `/members/${workspace.admin.memberId}`;

    it('ends, with unused tokens, when the member gets a wider role', async () => {
      const { id } = await addPerson();
      const browser = await signedIn(id);
      const unused = (await mint(id)).body.token;
      const operator = await addRole(workspace, { permissions: ['members:read', 'chats:read'] });

      expect(await update(`/members/${id}`, { memberRoleId: operator.id })).toMatchObject({ status: 200 });

      expect(await status(browser, others())).toBe(401);
      expect(await status(browser, '/chats')).toBe(401);
      expect(await browser.request('GET', '/sessions')).toMatchObject({ status: 401 });
      expect(await enter(unused)).toMatchObject(refused);
    });

    it('ends when its role gains a permission, even for one data type only', async () => {
      const type = { name: 'Notes', slug: 'notes', isCollection: false, fields: [] };
      await asAdmin('POST', '/data-types', type);
      const role = await addRole(workspace, { permissions: ['members:read'] });
      const browser = await signedIn(await addPersonAs(role.id));
      expect(await status(browser, others())).toBe(200);

      const permissions = ['members:read', 'data:read:notes'];
      expect(await update(`/member-roles/${role.id}`, { permissions })).toMatchObject({ status: 200 });

      expect(await status(browser, '')).toBe(401);
    });

    it('continues with fewer rights when its role loses permissions or is replaced by a narrower one', async () => {
      const role = await addRole(workspace, { permissions: ['members:read', 'chats:read'] });
      const id = await addPersonAs(role.id);
      const browser = await signedIn(id);

      const fewer = await update(`/member-roles/${role.id}`, { permissions: ['members:read'] });
      expect(fewer).toMatchObject({ status: 200 });
      expect(await status(browser, others())).toBe(200);

      const narrower = await update(`/members/${id}`, { memberRoleId: workspace.roles.member.id });
      expect(narrower).toMatchObject({ status: 200 });
      expect(await status(browser, others())).toBe(403);
      expect(await status(browser, `/members/${id}`)).toBe(200);
    });
  });

  it('ends after three days without use and after fourteen days in total', async () => {
    const { id } = await addPerson();
    const [unused, used] = [await signedIn(id), await signedIn(id)];
    const statusOf = async (browser: typeof used) =>
      (await browser.request('GET', workspace.path(`/members/${id}`))).status;
    const lastUsedAt = async () => (await used.request('GET', '/sessions')).body.items[0].lastUsedAt;

    clock.advance(days(2));
    expect(await statusOf(used)).toBe(200);
    await expect.poll(lastUsedAt).toBe(clock.now().toISOString());
    clock.advance(days(1));
    expect([await statusOf(unused), await statusOf(used)]).toEqual([401, 200]);
    for (let day = 3; day < 14; day += 1) {
      expect(await statusOf(used)).toBe(200);
      await expect.poll(lastUsedAt).toBe(clock.now().toISOString());
      clock.advance(days(1));
    }
    expect(await statusOf(used)).toBe(401);
  });

  it('ends, with unused tokens, when the API key that issued the token is revoked', async () => {
    const { id } = await addPerson();
    const key = await addApiKey(workspace.database, workspace.admin.accountId);
    const { items } = (await api.request('GET', '/account/api-keys', { apiKey: key })).body;
    const keyId = items.find(({ prefix }: { prefix: string }) => key.startsWith(`wes_${prefix}`)).id;
    const [used, unused] = [(await mint(id, key)).body.token, (await mint(id, key)).body.token];
    const [ofKey, ofAnother] = [openBrowser(api), await signedIn(id)];
    await enter(used, ofKey);
    const statusOf = async ({ request }: typeof ofKey) => (await request('GET', workspace.path(''))).status;
    expect(await statusOf(ofKey)).toBe(200);

    const revoked = await api.request('DELETE', `/account/api-keys/${keyId}`, { apiKey: key });

    expect(revoked.status).toBe(204);
    expect(await statusOf(ofKey)).toBe(401);
    expect(await statusOf(ofAnother)).toBe(200);
    expect(await enter(unused)).toMatchObject(refused);
  });

  it('can be listed and ended, with unused tokens, by callers that may manage members', async () => {
    const { id } = await addPerson();
    const [first, second] = [await signedIn(id), await signedIn(id)];
    const token = (await mint(id)).body.token;
    const manage = (method: string, path: string) =>
      api.request(method, workspace.path(`/members/${id}${path}`), { apiKey: workspace.admin.apiKey });

    const { body: sessions } = await manage('GET', '/sessions');
    expect(sessions).toMatchObject({ total: 2, items: [{ memberId: id, current: false }, { memberId: id }] });
    const { body: tokens } = await manage('GET', '/tokens');
    expect(tokens).toMatchObject({ total: 1, items: [{ id: expect.any(Number) }] });
    expect(JSON.stringify(tokens)).not.toContain(token);

    for (const { uuid } of sessions.items) {
      expect(await manage('DELETE', `/sessions/${uuid}`)).toMatchObject({ status: 204 });
      expect(await manage('DELETE', `/sessions/${uuid}`)).toMatchObject({ status: 404 });
    }
    expect(await manage('DELETE', `/tokens/${tokens.items[0].id}`)).toMatchObject({ status: 204 });
    expect(await manage('DELETE', `/tokens/${tokens.items[0].id}`)).toMatchObject({ status: 404 });
    for (const browser of [first, second]) {
      expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 401 });
    }
    expect(await enter(token)).toMatchObject(refused);
    expect((await manage('GET', '/sessions')).body.total).toBe(0);
  });

  it('is subject to the origin check', async () => {
    const browser = await signedIn((await addPerson()).id);
    const headers = { Origin: 'https://elsewhere.example' };
    const answer = await browser.request('DELETE', '/sessions', { headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
  });
});
