import { pino } from 'pino';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../support/api/api.js';
import { openBrowser, signInAs, signInSuperuser, type TestBrowser } from '../support/api/browser.js';
import { useApi } from '../support/api/use-api.js';
import { hours, MovedClock } from '../support/lib/moved-clock.js';
import { addApiKey, addMember, createWorkspace } from '../support/workspace/factories.js';

let superuser: Awaited<ReturnType<typeof addSuperuser>>;
const logged: Record<string, unknown>[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
const { api, workspace, asAdmin } = useApi({ logger });

beforeAll(async () => {
  superuser = await addSuperuser();
});

const addSuperuser = () => signInSuperuser(workspace.database, openBrowser(api));

const signedIn = (accountId: number) => signInAs(workspace.database, accountId, openBrowser(api));

const setEnabled = (browser: TestBrowser, uuid: string, enabled: boolean) =>
  browser.request('PUT', `/accounts/${uuid}`, { body: { enabled } });
const reason = { reason: 'Request 4711' };
const join = (browser: TestBrowser, place = workspace) =>
  browser.request('PUT', place.path('/support-access'), { body: reason });
const denied = { status: 403, body: { code: 'superuser_required' } };
const nobody = '00000000-0000-4000-8000-000000000000';

describe('disabling an account', () => {
  it('stops its sessions and keys at once, and enabling restores the keys', async () => {
    const { accountId, accountUuid, apiKey } = await addMember(workspace);
    const browser = await signedIn(accountId);
    const statuses = async () => [
      (await browser.request('GET', workspace.path(''))).status,
      (await browser.request('GET', '/sessions')).status,
      (await api.request('GET', workspace.path(''), { apiKey })).status,
      (await api.request('GET', '/account', { apiKey })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200]);

    expect(await setEnabled(superuser.browser, accountUuid, false)).toMatchObject({
      status: 200,
      body: { uuid: accountUuid, enabled: false, isSuperuser: false },
    });
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect((await browser.request('GET', '/account')).body.loggedIn).toBe(false);

    expect(await setEnabled(superuser.browser, accountUuid, true)).toMatchObject({ body: { enabled: true } });
    expect(await statuses()).toEqual([401, 401, 200, 200]);
  });

  it('stops its sessions also if the database was changed directly', async () => {
    const { accountId } = await addMember(workspace);
    const browser = await signedIn(accountId);
    await workspace.database.identity.accounts.update(accountId, { enabled: false });
    expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 401 });
    expect(await browser.request('GET', '/sessions')).toMatchObject({ status: 401 });
  });

  it('returns 409 for the caller’s own account and 404 for an unknown one', async () => {
    const { browser, uuid } = superuser;
    const own = { status: 409, body: { code: 'own_account' } };
    expect(await setEnabled(browser, uuid, false)).toMatchObject(own);
    expect((await setEnabled(browser, nobody, false)).status).toBe(404);
    expect((await setEnabled(browser, 'nobody', false)).status).toBe(400);
  });

  it('requires a superuser’s session and rejects admins, API keys and missing credentials', async () => {
    const { accountUuid } = workspace.member;
    const path = `/accounts/${accountUuid}`;
    const admin = await signedIn(workspace.admin.accountId);
    expect(await setEnabled(admin, accountUuid, false)).toMatchObject(denied);
    const apiKey = await addApiKey(workspace.database, superuser.id);
    const body = { enabled: false };
    expect(await api.request('PUT', path, { apiKey, body })).toMatchObject(denied);
    expect(await api.request('PUT', path, { body })).toMatchObject({ status: 401 });
    const headers = { Origin: 'https://elsewhere.example' };
    const foreign = await superuser.browser.request('PUT', path, { body, headers });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
  });

  it('is logged with the ids of account and caller', async () => {
    const { accountUuid } = await addMember(workspace);
    await setEnabled(superuser.browser, accountUuid, false);
    const caller = { accountId: superuser.id, credential: 'session', credentialId: expect.any(Number) };
    const line = { status: 200, ids: { account_uuid: accountUuid }, caller };
    await expect
      .poll(() => logged.filter(({ operation }) => operation === 'updateAccountState'))
      .toContainEqual(expect.objectContaining(line));
  });
});

describe('a superuser', () => {
  it('has no access before joining a workspace, as an administrator that members see and remove', async () => {
    const { browser } = await addSuperuser();
    expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 404 });

    const joined = await join(browser);

    expect(joined).toMatchObject({ status: 200, body: { memberId: expect.any(Number) } });
    expect(await join(browser)).toMatchObject({ status: 200, body: { memberId: joined.body.memberId } });
    const body = { name: 'Added by support' };
    expect((await browser.request('POST', workspace.path('/members'), { body })).status).toBe(201);
    const seen = `/members/${joined.body.memberId}`;
    const shown = { memberRoleName: 'Service support' };
    expect(await asAdmin('GET', seen)).toMatchObject({ status: 200, body: shown });
    expect(await asAdmin('DELETE', seen)).toMatchObject({ status: 204 });
    expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 404 });
  });

  it('joins once for twenty concurrent requests', async () => {
    const place = await createWorkspace(workspace.database);
    const { browser } = await addSuperuser();
    const answers = await Promise.all(Array.from({ length: 20 }, () => join(browser, place)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.memberId)).size).toBe(1);
  });

  it('has access for a stated reason and eight hours, also by key, and only while it is a superuser', async () => {
    const clock = new MovedClock();
    const own = await startApi(workspace.database, { clock });
    onTestFinished(own.close);
    const place = await createWorkspace(workspace.database);
    const { id, browser } = await signInSuperuser(workspace.database, openBrowser(own));
    const apiKey = await addApiKey(workspace.database, id);
    const statuses = async () => [
      (await browser.request('GET', place.path(''))).status,
      (await own.request('GET', place.path(''), { apiKey })).status,
    ];
    const unreasoned = await browser.request('PUT', place.path('/support-access'), { body: {} });
    expect(unreasoned.status).toBe(400);

    const { body } = await join(browser, place);
    expect(Date.parse(body.endsAt) - clock.now().getTime()).toBe(hours(8));
    const kept = await workspace.database.inIdentity((tx) =>
      tx('identity.memberships').where({ account_id: id }).first('support_reason'),
    );
    expect(kept).toEqual({ support_reason: 'Request 4711' });
    expect(await statuses()).toEqual([200, 200]);

    clock.advance(hours(8));
    expect(await statuses()).toEqual([404, 404]);
    await join(browser, place);
    expect(await statuses()).toEqual([200, 200]);

    await workspace.database.identity.accounts.update(id, { isSuperuser: false });
    expect(await statuses()).toEqual([404, 404]);
  });

  it('is required to join: admins and API keys are rejected', async () => {
    const other = await createWorkspace(workspace.database);
    expect(await join(await signedIn(workspace.admin.accountId), other)).toMatchObject(denied);
    const apiKey = await addApiKey(workspace.database, superuser.id);
    const path = other.path('/support-access');
    expect(await api.request('PUT', path, { apiKey, body: reason })).toMatchObject(denied);
    expect(await api.request('PUT', path)).toMatchObject({ status: 401 });
  });

  it('gets 404 for joining an unknown workspace', async () => {
    const put = (place: string, body?: object) =>
      superuser.browser.request('PUT', `/w/${place}/support-access`, body && { body });
    expect((await put(nobody, reason)).status).toBe(404);
    expect((await put('nowhere')).status).toBe(400);
  });
});
