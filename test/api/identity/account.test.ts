import { describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser, visitorsOf, wrong } from '../../support/api/browser.js';
import { callAs, pointersOf } from '../../support/api/call-as.js';
import { loginCodeOf } from '../../support/api/login.js';
import { useApi } from '../../support/api/use-api.js';
import { MovedClock, minutes } from '../../support/lib/moved-clock.js';
import {
  addApiKey,
  addMemberRow,
  type TestWorkspace,
  uniqueEmail,
  uniquePhone,
} from '../../support/workspace/factories.js';
import { signUpDesk } from './sign-up/sign-up-desk.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));

const { api, workspace: here, otherWorkspace: there } = useApi({ clock, trustedProxies: 1 });

type Address = { email: string } | { phone: string };

const visitor = visitorsOf(api);
async function signedIn(address: Address): Promise<TestBrowser> {
  const browser = visitor();
  await browser.signIn(address);
  return browser;
}
const addPerson = (workspace: TestWorkspace, values: { email?: string; phone?: string | null }) =>
  addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...values });
const memberOf = async (workspace: TestWorkspace, id: number) =>
  (await callAs(api, workspace, workspace.admin)('GET', `/members/${id}`)).body;

async function ask(browser: TestBrowser, address: Address) {
  const { status, body } = await browser.request('POST', '/account/addresses', { body: address });
  expect(status).toBe(202);
  return {
    path: `/account/addresses/${body.uuid}`,
    uuid: body.uuid,
    code: await loginCodeOf(api, body.uuid),
  };
}
async function change(browser: TestBrowser, address: Address) {
  const { path, code } = await ask(browser, address);
  return browser.request('PUT', path, { body: { code } });
}

describe('adding an address to the own account', () => {
  it.each(['email', 'phone'] as const)(
    'adds the address after proof, binds pending members and accepts it for later sign-ins: %s',
    async (channel) => {
      const [email, phone] = [uniqueEmail(), uniquePhone()];
      const member = await addPerson(here, channel === 'email' ? { phone } : { email, phone: null });
      const browser = await signedIn(channel === 'email' ? { phone } : { email });

      const answer = await change(browser, channel === 'email' ? { email } : { phone });

      const at = clock.now().toISOString();
      expect(answer).toMatchObject({ status: 200, body: { email, phone, [`${channel}VerifiedAt`]: at } });
      const other = await signedIn(channel === 'email' ? { email } : { phone });
      expect(await other.request('GET', here.path(`/members/${member.id}`))).toMatchObject({ status: 200 });
    },
  );

  it('replaces the old address, also in the account’s members, and ends its other sessions', async () => {
    const [before, after, theirs] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    const [one, other] = [
      await addPerson(here, { email: before }),
      await addPerson(there, { email: before }),
    ];
    const [browser, second] = [await signedIn({ email: before }), await signedIn({ email: before })];
    await callAs(api, there, there.admin)('PUT', `/members/${other.id}`, { email: theirs });

    expect(await change(browser, { email: after })).toMatchObject({ status: 200, body: { email: after } });

    expect(await memberOf(here, one.id)).toMatchObject({ email: after });
    expect(await memberOf(there, other.id)).toMatchObject({ email: theirs });
    expect(await browser.request('GET', '/account')).toMatchObject({ body: { email: after } });
    expect(await second.request('GET', '/account')).toMatchObject({ body: { loggedIn: false } });
    await expect(signedIn({ email: before })).rejects.toThrow('401');
  });

  it('sets the address on a member where it is pending, but not where another member has it', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const member = await addPerson(here, { email, phone: null });
    const elsewhere = await addPerson(there, { email, phone: null });
    await addPerson(there, { phone });
    const browser = await signedIn({ email });
    await signUpDesk(api, here)({ email, phone });
    await signUpDesk(api, there)({ email, phone: uniquePhone() });

    expect(await change(browser, { phone })).toMatchObject({ status: 200 });

    expect(await memberOf(here, member.id)).toMatchObject({ email, phone });
    expect(await memberOf(there, elsewhere.id)).toMatchObject({ email, phone: null });
  });

  it('takes the address over from an account without a membership, but from no other account', async () => {
    const [phone, pending, taken] = [uniquePhone(), uniqueEmail(), uniqueEmail()];
    const form = await addApiKey(here.database, here.admin.accountId, { scopes: ['account:create'] });
    const { body } = await signUpDesk(api, here, form)({ phone, email: pending });
    const browser = await signedIn({ phone });
    const idle = await signedIn({ email: pending });
    expect((await idle.request('GET', '/workspaces')).body.total).toBe(0);
    await addPerson(here, { email: taken });
    const owner = await signedIn({ email: taken });

    const answer = await change(browser, { email: pending });
    expect(answer).toMatchObject({ status: 200, body: { email: pending, phone } });
    expect(await memberOf(here, body.member.id)).toMatchObject({ email: pending, phone });
    expect(await idle.request('GET', '/account')).toMatchObject({ body: { loggedIn: false } });

    const refused = await change(browser, { email: taken });
    expect(refused).toMatchObject({ status: 409, body: { code: 'address_taken' } });
    expect(await owner.request('GET', '/account')).toMatchObject({ body: { email: taken } });
    expect(await browser.request('GET', '/account')).toMatchObject({ body: { email: pending } });
  });
});

describe('the code for an added address', () => {
  it('accepts the code only from the requesting account, once, and not for signing in', async () => {
    const [mine, theirs] = [uniqueEmail(), uniqueEmail()];
    await addPerson(here, { email: mine });
    await addPerson(here, { email: theirs });
    const [browser, stranger] = [await signedIn({ email: mine }), await signedIn({ email: theirs })];
    const { path, uuid, code } = await ask(browser, { phone: uniquePhone() });
    const refused = { status: 400, body: { code: 'code_refused' } };

    expect(await browser.request('PUT', path, { body: { code: wrong(code) } })).toMatchObject(refused);
    expect(await stranger.request('PUT', path, { body: { code } })).toMatchObject(refused);
    const signIn = { loginCodeUuid: uuid, code };
    expect(await browser.request('POST', '/sessions', { body: signIn })).toMatchObject({ status: 401 });
    expect(await browser.request('PUT', path, { body: { code } })).toMatchObject({ status: 200 });
    expect(await browser.request('PUT', path, { body: { code } })).toMatchObject(refused);

    const login = await browser.askForCode({ email: mine });
    const ofLogin = `/account/addresses/${login.loginCodeUuid}`;
    expect(await browser.request('PUT', ofLogin, { body: { code: login.code } })).toMatchObject(refused);
  });

  it('requires a sign-in within the last hour to request and to use a code', async () => {
    const email = uniqueEmail();
    await addPerson(here, { email });
    const browser = await signedIn({ email });
    clock.advance(minutes(55));
    const { path, code } = await ask(browser, { phone: uniquePhone() });
    clock.advance(minutes(5));

    const again = { status: 403, body: { code: 'sign_in_again' } };
    expect(await browser.request('PUT', path, { body: { code } })).toMatchObject(again);
    const body = { phone: uniquePhone() };
    expect(await browser.request('POST', '/account/addresses', { body })).toMatchObject(again);
  });

  it('requires an account session and rejects API keys and member sessions', async () => {
    const body = { email: uniqueEmail() };
    const { apiKey } = here.admin;
    expect(await api.request('POST', '/account/addresses', { body })).toMatchObject({ status: 401 });
    const byKey = await api.request('POST', '/account/addresses', { body, apiKey });
    expect(byKey).toMatchObject({ status: 403, body: { code: 'session_required' } });
    const { body: made } = await signUpDesk(api, here)({ email: uniqueEmail() });
    const browser = openBrowser(api, { 'X-Forwarded-For': '198.51.100.1' });
    await browser.request('POST', '/sessions', { body: { memberToken: made.token } });
    const answer = await browser.request('POST', '/account/addresses', { body });
    expect(answer).toMatchObject({ status: 403, body: { code: 'account_session_required' } });
  });

  it('counts against the same limit as login codes', async () => {
    const email = uniqueEmail();
    await addPerson(here, { email });
    const browser = await signedIn({ email });
    const phone = uniquePhone();
    for (let times = 0; times < 5; times += 1) await ask(browser, { phone });
    const answer = await browser.request('POST', '/account/addresses', { body: { phone } });
    expect(answer).toMatchObject({ status: 429 });
  });
});

describe('GET /account', () => {
  it('returns the account of the credential', async () => {
    const { apiKey, accountId, accountUuid } = here.member;
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
    const apiKey = await addApiKey(here.database, here.member.accountId, { scopes: ['chats:read'] });
    const answer = await api.request('GET', '/account', { apiKey });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.body.detail).toContain('account:read');
  });
});

describe('POST /account', () => {
  it('changes the given fields and keeps the rest', async () => {
    const { apiKey } = here.member;
    const before = (await api.request('GET', '/account', { apiKey })).body;
    const body = { name: '  Robin Example ', tosAccepted: true, locale: 'de-at', timezone: 'Europe/Vienna' };
    const answer = await api.request('POST', '/account', { apiKey, body });
    const changed = { name: 'Robin Example', tosAccepted: true, locale: 'de-AT', timezone: 'Europe/Vienna' };
    expect(answer).toMatchObject({ status: 200, body: { ...before, ...changed } });
    expect((await api.request('GET', '/account', { apiKey })).body).toEqual(answer.body);
  });

  it('reports all errors at once', async () => {
    const { apiKey } = here.member;
    const body = { locale: 'no language', timezone: 'Mars/Olympus' };
    const answer = await api.request('POST', '/account', { apiKey, body });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/locale', '/timezone']]);
  });

  it.each([
    [{ isSuperuser: true }, '/isSuperuser'],
    [{ email: 'someone@example.com' }, '/email'],
    [{ name: 7 }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ tosAccepted: 'yes' }, '/tosAccepted'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await api.request('POST', '/account', { apiKey: here.member.apiKey, body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it('returns 401 without credentials', async () => {
    const answer = await api.request('POST', '/account', { body: {} });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it('requires the scope account:write', async () => {
    const apiKey = await addApiKey(here.database, here.member.accountId, { scopes: ['account:read'] });
    expect(await api.request('POST', '/account', { apiKey, body: {} })).toMatchObject({ status: 403 });
  });
});
