import { describe, expect, it } from 'vitest';
import { cookieOf, signInAs, type TestBrowser, visitorsOf } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { hours, MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addApiKey, addMember } from '../../../support/workspace/factories.js';

const days = (count: number) => hours(24 * count);
const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));

const { api, workspace, otherWorkspace: other } = useApi({ clock, trustedProxies: 1 });

const visitor = visitorsOf(api);
const signedIn = (accountId: number, userAgent = 'curl/8.5.0') =>
  signInAs(workspace.database, accountId, visitor({ 'User-Agent': userAgent }));
/** A browser of a new account. */
const newcomer = async () => signedIn((await addMember(workspace)).accountId);
const lastUsedAt = async (browser: TestBrowser) =>
  (await browser.request('GET', '/sessions')).body.items[0]?.lastUsedAt as string | undefined;
const isIn = async (browser: TestBrowser) => (await browser.request('GET', '/account')).body.loggedIn;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('GET /sessions', () => {
  it('lists the caller’s open sessions, latest used first, and marks the current one', async () => {
    const { accountId } = await addMember(workspace);
    const first = await signedIn(accountId, firefox);
    clock.advance(minutes(1));
    const second = await signedIn(accountId);
    await signedIn(workspace.member.accountId);

    const answer = await first.request('GET', '/sessions');

    expect(answer).toMatchObject({
      status: 200,
      body: {
        total: 2,
        items: [
          { current: false, userAgent: 'curl' },
          { current: true, userAgent: 'Firefox on Linux', workspaceId: null, memberId: null },
        ],
      },
    });
    const [, mine] = answer.body.items;
    expect(Date.parse(mine.expiresAt) - Date.parse(mine.lastUsedAt)).toBe(days(14));
    const text = JSON.stringify(answer.body);
    for (const browser of [first, second]) expect(text).not.toContain(browser.token);
  });

  it('accepts API keys of the account and marks no session as current', async () => {
    const { accountId } = await addMember(workspace);
    await signedIn(accountId);
    const apiKey = await addApiKey(workspace.database, accountId, { scopes: ['account:read'] });
    const answer = await api.request('GET', '/sessions', { apiKey });
    expect(answer).toMatchObject({ status: 200, body: { items: [{ current: false }] } });
    const blind = await addApiKey(workspace.database, accountId, { scopes: ['chats:read'] });
    expect(await api.request('GET', '/sessions', { apiKey: blind })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });

  it('paginates', async () => {
    const { accountId } = await addMember(workspace);
    const browser = await signedIn(accountId);
    await signedIn(accountId);
    const answer = await browser.request('GET', '/sessions', { query: { page: 2, pageSize: 1 } });
    expect(answer.body).toMatchObject({ total: 2, totalPages: 2, items: [{ current: true }] });
  });

  it('returns 401 without credentials or with an invalid cookie', async () => {
    expect(await api.request('GET', '/sessions')).toMatchObject({ status: 401 });
    for (const token of ['', 'x', 'a'.repeat(43), 'a'.repeat(4_000)]) {
      const headers = { Cookie: cookieOf(token) };
      expect(await api.request('GET', '/sessions', { headers })).toMatchObject({ status: 401 });
    }
  });
});

describe('ending a session', () => {
  it('signs out and clears the cookie', async () => {
    const browser = await newcomer();
    const kept = browser.token;

    const answer = await browser.request('DELETE', '/sessions/current');

    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual([
      '__Host-wes_session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax',
      '__Host-wes_org_session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax',
    ]);
    browser.token = kept;
    expect(await isIn(browser)).toBe(false);
    expect(await browser.request('GET', workspace.path('/members'))).toMatchObject({ status: 401 });
    // Repeat the sign-out, and send one without a cookie.
    expect(await browser.request('DELETE', '/sessions/current')).toMatchObject({ status: 204 });
    expect(await browser.request('DELETE', '/sessions/current')).toMatchObject({ status: 204 });
  });

  it('keeps the session if the request carries a key', async () => {
    const { accountId, apiKey } = await addMember(workspace);
    const browser = await signedIn(accountId);
    const { token } = browser;
    await browser.request('DELETE', '/sessions/current', { apiKey });
    browser.token = token;
    expect(await isIn(browser)).toBe(true);
  });

  it('ends one session by its uuid, once', async () => {
    const { accountId } = await addMember(workspace);
    const [here, there] = [await signedIn(accountId), await signedIn(accountId)];
    const { body } = await here.request('GET', '/sessions');
    const { uuid } = body.items.find((session: { current: boolean }) => !session.current);

    expect(await here.request('DELETE', `/sessions/${uuid}`)).toMatchObject({ status: 204 });

    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect(await here.request('DELETE', `/sessions/${uuid}`)).toMatchObject({ status: 404 });
  });

  it('ends all other sessions', async () => {
    const { accountId } = await addMember(workspace);
    const browsers = [await signedIn(accountId), await signedIn(accountId), await signedIn(accountId)];
    const stranger = await signedIn(workspace.member.accountId);
    expect(await browsers[1]?.request('DELETE', '/sessions')).toMatchObject({ status: 204 });
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, true, false]);
    expect(await isIn(stranger)).toBe(true);
  });

  it('returns 404 for a session of another account', async () => {
    const stranger = await signedIn(workspace.member.accountId);
    const { body } = await stranger.request('GET', '/sessions');
    const mine = await signedIn((await addMember(workspace)).accountId);
    for (const { uuid } of body.items) {
      expect(await mine.request('DELETE', `/sessions/${uuid}`)).toMatchObject({ status: 404 });
    }
    expect(await isIn(stranger)).toBe(true);
    expect(await mine.request('DELETE', '/sessions/nothing')).toMatchObject({ status: 400 });
  });

  it('rejects API keys of any scope, so that a stolen key cannot sign its owner out', async () => {
    const { accountId } = await addMember(workspace);
    const browser = await signedIn(accountId);
    const { uuid } = (await browser.request('GET', '/sessions')).body.items[0];
    const apiKey = await addApiKey(workspace.database, accountId);
    for (const where of ['/sessions', `/sessions/${uuid}`]) {
      const answer = await api.request('DELETE', where, { apiKey });
      expect(answer).toMatchObject({ status: 403, body: { code: 'session_required' } });
    }
    expect(await isIn(browser)).toBe(true);
  });

  it('requires the scope account:write on a key', async () => {
    const { accountId } = await addMember(workspace);
    const apiKey = await addApiKey(workspace.database, accountId, { scopes: ['account:read'] });
    const path = '/sessions/00000000-0000-4000-8000-000000000000';
    for (const where of ['/sessions', path]) {
      expect(await api.request('DELETE', where, { apiKey })).toMatchObject({ status: 403 });
      expect(await api.request('DELETE', where)).toMatchObject({ status: 401 });
    }
  });
});

describe('the expiry of a session', () => {
  it('is 14 days after the last use', async () => {
    const { accountId } = await addMember(workspace);
    const browser = await signedIn(accountId);
    clock.advance(days(14) - 1);
    expect(await isIn(browser)).toBe(true);
    await expect.poll(() => lastUsedAt(browser)).toBe(clock.now().toISOString());
    clock.advance(days(14) - 1);
    expect(await isIn(browser)).toBe(true);
    await expect.poll(() => lastUsedAt(browser)).toBe(clock.now().toISOString());

    clock.advance(days(14));

    expect(await isIn(browser)).toBe(false);
    expect(await browser.request('GET', '/sessions')).toMatchObject({ status: 401 });
    expect(await browser.request('GET', workspace.path('/members'))).toMatchObject({ status: 401 });
    const fresh = await signedIn(accountId);
    expect((await fresh.request('GET', '/sessions')).body.total).toBe(1);
  });

  it('is 90 days after its start, however often it is used', async () => {
    const browser = await newcomer();
    for (let day = 10; day < 90; day += 10) {
      clock.advance(days(10));
      expect(await isIn(browser)).toBe(true);
      await expect.poll(() => lastUsedAt(browser)).toBe(clock.now().toISOString());
    }
    clock.advance(days(10) - 1);
    expect(await isIn(browser)).toBe(true);
    clock.advance(1);
    expect(await isIn(browser)).toBe(false);
  });

  it('is updated at most once an hour, so that reads rarely write', async () => {
    const browser = await newcomer();
    const begun = await lastUsedAt(browser);
    clock.advance(hours(1) - 1);
    await browser.request('GET', workspace.path('/members'));
    expect(await lastUsedAt(browser)).toBe(begun);
    clock.advance(1);
    await browser.request('GET', workspace.path('/members'));
    await expect.poll(() => lastUsedAt(browser)).toBe(clock.now().toISOString());
  });
});

describe('a request with a session', () => {
  it('acts as the account’s member, and gets 404 in other workspaces', async () => {
    const browser = await signedIn(workspace.admin.accountId);
    expect(await browser.request('GET', workspace.path(''))).toMatchObject({ status: 200 });
    for (const path of [other.path(''), '/w/00000000-0000-4000-8000-000000000000']) {
      const answer = await browser.request('GET', path);
      expect(answer).toMatchObject({ status: 404, body: { detail: 'Workspace not found.' } });
    }
  });

  it('is limited by the role only and not by scopes', async () => {
    const browser = await signedIn(workspace.admin.accountId);
    const body = { name: 'Added by cookie' };
    const answer = await browser.request('POST', workspace.path('/members'), { body });
    expect(answer).toMatchObject({ status: 201 });
    const key = { name: 'From a session', scopes: ['chats:admin'] };
    expect(await browser.request('POST', '/account/api-keys', { body: key })).toMatchObject({ status: 201 });
  });

  it('ignores the session if a key is sent too, valid or not', async () => {
    const browser = await signedIn(workspace.admin.accountId);
    const { apiKey, accountId } = workspace.member;
    expect((await browser.request('GET', '/account', { apiKey })).body.id).toBe(accountId);
    const wrong = { apiKey: 'wes_wrong' };
    expect(await browser.request('GET', '/account', wrong)).toMatchObject({ status: 401 });
    expect(await browser.request('GET', workspace.path(''), wrong)).toMatchObject({ status: 401 });
  });
});
