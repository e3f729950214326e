import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../support/api/api.js';
import { openBrowser, signInAs, signInSuperuser, type TestBrowser } from '../support/api/browser.js';
import { useApi } from '../support/api/use-api.js';
import { hours, MovedClock } from '../support/lib/moved-clock.js';
import { addApiKey, addMember, createWorkspace, uniqueEmail } from '../support/workspace/factories.js';

let superuser: { id: number; uuid: string; browser: TestBrowser };
const logged: Record<string, unknown>[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
const { api, workspace } = useApi({ logger });

beforeAll(async () => {
  superuser = await addSuperuser();
});

const addSuperuser = () => signInSuperuser(workspace.database, openBrowser(api));

const signedIn = (accountId: number) => signInAs(workspace.database, accountId, openBrowser(api));

const setEnabled = (browser: TestBrowser, uuid: string, enabled: boolean) =>
  browser.request('PUT', `/accounts/${uuid}`, { body: { enabled } });
const join = (browser: TestBrowser, place = workspace) =>
  browser.request('PUT', place.path('/support-access'), { body: { reason: 'Request 4711' } });
const denied = { status: 403, body: { code: 'superuser_required' } };

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
    expect(await setEnabled(superuser.browser, superuser.uuid, false)).toMatchObject({
      status: 409,
      body: { code: 'own_account' },
    });
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await setEnabled(superuser.browser, nobody, false)).toMatchObject({ status: 404 });
    expect(await setEnabled(superuser.browser, 'nobody', false)).toMatchObject({ status: 400 });
  });

  it('requires a superuser’s session and rejects admins, API keys and missing credentials', async () => {
    const { accountUuid } = workspace.member;
    const admin = await signedIn(workspace.admin.accountId);
    expect(await setEnabled(admin, accountUuid, false)).toMatchObject(denied);
    const apiKey = await addApiKey(workspace.database, superuser.id);
    const body = { enabled: false };
    expect(await api.request('PUT', `/accounts/${accountUuid}`, { apiKey, body })).toMatchObject(denied);
    expect(await api.request('PUT', `/accounts/${accountUuid}`, { body })).toMatchObject({ status: 401 });
    const headers = { Origin: 'https://elsewhere.example' };
    const foreign = await superuser.browser.request('PUT', `/accounts/${accountUuid}`, { body, headers });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
  });

  it('is logged with the ids of account and caller', async () => {
    const { accountUuid } = await addMember(workspace);
    await setEnabled(superuser.browser, accountUuid, false);
    await expect
      .poll(() => logged.filter(({ operation }) => operation === 'updateAccountState'))
      .toContainEqual(
        expect.objectContaining({
          status: 200,
          ids: { account_uuid: accountUuid },
          caller: { accountId: superuser.id, credential: 'session', credentialId: expect.any(Number) },
        }),
      );
  });
});

describe('a superuser', () => {
  it('has no access to a workspace before joining it', async () => {
    const { browser } = await addSuperuser();
    expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 404 });
  });

  it('joins a workspace as an administrator that its members can see and remove', async () => {
    const { browser } = await addSuperuser();

    const joined = await join(browser);

    expect(joined).toMatchObject({ status: 200, body: { memberId: expect.any(Number) } });
    expect(await join(browser)).toMatchObject({ status: 200, body: { memberId: joined.body.memberId } });
    const body = { name: 'Added by support' };
    expect(await browser.request('POST', workspace.path('/members'), { body })).toMatchObject({
      status: 201,
    });
    const { apiKey } = workspace.admin;
    const seen = workspace.path(`/members/${joined.body.memberId}`);
    expect(await api.request('GET', seen, { apiKey })).toMatchObject({
      status: 200,
      body: { memberRoleName: 'Service support' },
    });
    expect(await api.request('DELETE', seen, { apiKey })).toMatchObject({ status: 204 });
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
    try {
      const place = await createWorkspace(workspace.database);
      const email = uniqueEmail();
      const account = await workspace.database.identity.accounts.create({ email, isSuperuser: true });
      const browser = openBrowser(own);
      await browser.signIn({ email });
      const apiKey = await addApiKey(workspace.database, account.id);
      const statuses = async () => [
        (await browser.request('GET', place.path(''))).status,
        (await own.request('GET', place.path(''), { apiKey })).status,
      ];
      expect(await browser.request('PUT', place.path('/support-access'), { body: {} })).toMatchObject({
        status: 400,
      });

      const { body } = await join(browser, place);
      expect(Date.parse(body.endsAt) - clock.now().getTime()).toBe(hours(8));
      const kept = await workspace.database.inIdentity((tx) =>
        tx('identity.memberships').where({ account_id: account.id }).first('support_reason'),
      );
      expect(kept).toEqual({ support_reason: 'Request 4711' });
      expect(await statuses()).toEqual([200, 200]);

      clock.advance(hours(8));
      expect(await statuses()).toEqual([404, 404]);
      await join(browser, place);
      expect(await statuses()).toEqual([200, 200]);

      await workspace.database.identity.accounts.update(account.id, { isSuperuser: false });
      expect(await statuses()).toEqual([404, 404]);
    } finally {
      await own.close();
    }
  });

  it('is required to join: admins and API keys are rejected', async () => {
    const other = await createWorkspace(workspace.database);
    expect(await join(await signedIn(workspace.admin.accountId), other)).toMatchObject(denied);
    const apiKey = await addApiKey(workspace.database, superuser.id);
    const body = { reason: 'Request 4711' };
    expect(await api.request('PUT', other.path('/support-access'), { apiKey, body })).toMatchObject(denied);
    expect(await api.request('PUT', other.path('/support-access'))).toMatchObject({ status: 401 });
  });

  it('gets 404 for joining an unknown workspace', async () => {
    const path = '/w/00000000-0000-4000-8000-000000000000/support-access';
    expect(await superuser.browser.request('PUT', path, { body: { reason: 'Request 4711' } })).toMatchObject({
      status: 404,
    });
    expect(await superuser.browser.request('PUT', '/w/nowhere/support-access')).toMatchObject({
      status: 400,
    });
  });
});
