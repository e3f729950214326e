import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../support/api/browser.js';
import { PageVisitor, type ShownPage } from '../../../support/api/page-visitor.js';
import { useApi } from '../../../support/api/use-api.js';
import { later } from '../../../support/lib/later.js';
import {
  type SimulatedIdentityProvider,
  startProvider,
} from '../../../support/simulators/simulated-identity-provider.js';
import {
  addMember,
  addMemberRow,
  addRole,
  randomTag,
  uniqueEmail,
} from '../../../support/workspace/factories.js';
import { addOrganization, personOf, stranger } from '../../../support/workspace/organizations.js';
import {
  addSsoOrganization,
  begin,
  pathOf,
  signedOn,
  signOn,
} from '../../../support/workspace/single-sign-on.js';

const { api, workspace, otherWorkspace: other } = useApi();
let running: SimulatedIdentityProvider | undefined;
const provider = later(() => running);
let organization: Awaited<ReturnType<typeof addSsoOrganization>>;
let owner: Awaited<ReturnType<typeof stranger>>;
beforeAll(async () => {
  running = await startProvider();
  owner = await stranger(api, workspace);
  organization = await addSsoOrganization(owner, provider);
});
afterAll(() => running?.close());
beforeEach(() => provider.setFaults({}));

/** The address of the first link that begins so. */
function linkIn({ text }: ShownPage, begin: string): string {
  const found = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  return found.find((href) => href.startsWith(begin)) ?? '';
}

const refused = { status: 401, body: { code: 'sso_refused' } };
const unavailable = { status: 503, body: { code: 'identity_provider_unavailable' } };

async function person(values: { name?: string; email?: string; emailVerified?: boolean } = {}) {
  const subject = `subject-${randomTag()}`;
  await provider.setPerson(subject, { name: `Person ${randomTag()}`, email: uniqueEmail(), ...values });
  return subject;
}

describe('an answer of the provider', () => {
  it.each([
    'wrong_issuer',
    'wrong_nonce',
    'wrong_audience',
    'two_audiences',
    'expired',
    'forged',
    'missing',
    'no_subject',
  ] as const)('is refused: %s', async (token) => {
    const subject = await person();
    const browser = openBrowser(api);
    const { location } = await begin(browser, organization);
    const back = await provider.signIn(location, subject);
    await provider.setFaults({ token });
    const answer = await browser.request('GET', pathOf(back));
    expect(answer).toMatchObject(refused);
    expect([browser.token, browser.organization, browser.flow]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    [-3_645, 303],
    [-3_700, 401],
  ])('may be off by a minute: %d seconds', async (clockSkewSeconds, status) => {
    const browser = openBrowser(api);
    const { location } = await begin(browser, organization);
    const back = await provider.signIn(location, await person());
    await provider.setFaults({ clockSkewSeconds });
    expect((await browser.request('GET', pathOf(back))).status).toBe(status);
  });

  it('is refused once after keys have changed, and the next attempt reads the new ones', async () => {
    const subject = await person();
    await signedOn(api, organization, provider, subject);
    await provider.rotateKeys();
    const browser = openBrowser(api);
    expect(await signOn(browser, organization, provider, subject)).toMatchObject(unavailable);
    expect((await signOn(browser, organization, provider, subject)).status).toBe(303);
  });

  it('is a 503 where the provider fails, and a 401 where it has refused', async () => {
    const subject = await person();
    const attempt = async (mishaps: object) => {
      const browser = openBrowser(api);
      const { location } = await begin(browser, organization);
      const back = await provider.signIn(location, subject);
      await provider.setFaults(mishaps);
      const answer = await browser.request('GET', pathOf(back));
      await provider.setFaults({});
      return answer;
    };
    expect(await attempt({ status: 500 })).toMatchObject(unavailable);
    expect(await attempt({ status: 429 })).toMatchObject(unavailable);
    expect(await attempt({ latencyMs: 10_000 })).toMatchObject(unavailable);
    expect((await attempt({ bytes: 300_000 })).status).toBe(503);
    expect((await attempt({ bytes: 10 })).status).toBe(401);
    const browser = openBrowser(api);
    const { location } = await begin(browser, organization);
    // "Nobody" is chosen on the page of the provider.
    expect(await browser.request('GET', pathOf(await provider.signIn(location, '')))).toMatchObject(refused);
  });
});

describe('the discovery of a provider', () => {
  it.each([
    [{ discoveryIssuer: 'https://other.example.com' }, refused],
    [{ redirect: 'http://169.254.169.254/latest/meta-data' }, refused],
    [{ status: 500 }, unavailable],
    [{ bytes: 300_000 }, unavailable],
  ])('is not followed: %j', async (mishaps, answer) => {
    // A client of its own, as what providers say is kept for a while.
    const fresh = await addSsoOrganization(owner, provider);
    await provider.setFaults(mishaps);
    const browser = openBrowser(api);
    expect(await begin(browser, fresh)).toMatchObject(answer);
    expect(browser.flow).toBeUndefined();
  });

  it.each([
    ['https://10.0.0.1/', 'is not one on the public internet'],
    ['http://169.254.169.254', 'is not one on the public internet'],
    ['https://user:secret@idp.example.com', 'user name'],
    ['https://idp.example.com/?x=1', 'query'],
    ['nonsense', 'address'],
  ])('is not begun at %s', async (issuer, message) => {
    const body = { issuer, clientId: 'a', clientSecret: 'b' };
    const answer = await owner.browser.request('PUT', organization.path('/sso'), { body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/issuer' }] } });
    expect(answer.body.errors[0].message).toContain(message);
  });

  it('tells the settings, and never the secret', async () => {
    const { body } = await owner.browser.request('GET', organization.path('/sso'));
    expect(body).toMatchObject({ issuer: provider.url, clientId: organization.clientId, emailDomains: [] });
    expect(JSON.stringify(body)).not.toContain('secret');
    const change = { issuer: provider.url, clientId: 'another' };
    expect(await owner.browser.request('PUT', organization.path('/sso'), { body: change })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/clientSecret' }] },
    });
  });
});

describe('a sign-in', () => {
  it('ends in the browser that has begun it, with its own state, once', async () => {
    const subject = await person();
    const [victim, attacker] = [openBrowser(api), openBrowser(api)];
    const { location } = await begin(attacker, organization);
    const back = await provider.signIn(location, subject);
    // Without a flow of its own, and with another one (login CSRF).
    expect(await victim.request('GET', pathOf(back))).toMatchObject(refused);
    await begin(victim, organization);
    expect(await victim.request('GET', pathOf(back))).toMatchObject(refused);
    const elsewhere = await addSsoOrganization(owner, provider);
    const stolen = pathOf(back).replace(organization.uuid, elsewhere.uuid);
    expect(await attacker.request('GET', stolen)).toMatchObject(refused);

    const again = await begin(attacker, organization);
    const second = await provider.signIn(again.location, subject);
    const flow = attacker.flow;
    expect((await attacker.request('GET', pathOf(second))).status).toBe(303);
    // The code is good once, also with the flow put back.
    attacker.flow = flow;
    expect(await attacker.request('GET', pathOf(second))).toMatchObject(refused);
  });

  it.each([
    ['iss', 'https://other.example.com'],
    ['state', 'another'],
    ['code', 'another'],
  ])('is refused with another %s', async (name, value) => {
    const browser = openBrowser(api);
    const { location } = await begin(browser, organization);
    const back = await provider.signIn(location, await person());
    back.searchParams.set(name, value);
    expect(await browser.request('GET', pathOf(back))).toMatchObject(refused);
  });

  it('begins at the sign-in page, and leads back to where the person wanted to go', async () => {
    const visitor = new PageVisitor(api);
    const asked = await visitor.follow(await visitor.get('/settings/sessions'));
    const byOrganization = await visitor.get(linkIn(asked, '/sign-in/organization'));
    expect(byOrganization.text).toContain('<form method="get" action="/sign-in/organization">');
    const named = `/sign-in/organization?return=%2Fsettings%2Fsessions&organization=${organization.slug.toUpperCase()}`;
    const asking = await visitor.get(named);
    expect(asking.text).not.toContain('ends that session');
    const going = await visitor.submit(asking, '/sign-in/organization');
    const location = linkIn(going, provider.url);
    expect(going.text).toContain('http-equiv="refresh"');
    const callback = await provider.signIn(location, await person());
    const back = await visitor.get(callback.pathname + callback.search);
    expect(back).toMatchObject({ status: 303, location: expect.stringMatching(/\/settings\/sessions$/) });
    // The settings are of the person, who has not signed in with a code.
    expect((await visitor.follow(back)).text).toContain('You are signed in by your organization');
  });

  it.each([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['from a page of this service', { 'Sec-Fetch-Site': 'same-origin' }],
    ['by a browser that tells only where it was', { Referer: 'https://evil.example/' }],
  ])('asks first where it is begun by a link %s', async (_, headers) => {
    const start = `/o/${organization.slug}/sso/start`;
    const answer = await openBrowser(api).request('GET', start, { headers });
    expect(answer).toMatchObject({ status: 303 });
    expect(answer.headers.get('location')).toContain('/sign-in/organization?organization=');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('asks first where somebody is signed in, and ends only the session that it has asked about', async () => {
    const member = await stranger(api, workspace);
    const start = await member.browser.request('GET', `/o/${organization.slug}/sso/start`);
    expect(start.headers.get('location')).toContain('/sign-in/organization?');
    const visitor = new PageVisitor(api);
    visitor.setCookie('__Host-wes_session', member.browser.token ?? '');
    const asking = await visitor.get(`/sign-in/organization?organization=${organization.slug}`);
    expect(asking.text).toContain('Going on ends that session.');
    const fields = { organization: organization.slug };
    expect((await visitor.post('/sign-in/organization', fields)).status).toBe(403);
    const forged = { ...fields, formToken: 'x'.repeat(43) };
    expect((await visitor.post('/sign-in/organization', forged)).status).toBe(403);

    const going = await visitor.submit(asking, '/sign-in/organization');
    const callback = await provider.signIn(linkIn(going, provider.url), await person());
    const other = await stranger(api, workspace);
    const flow = visitor.cookie('__Host-wes_sign_on') ?? '';
    visitor.setCookie('__Host-wes_session', other.browser.token ?? '');
    expect((await visitor.get(callback.pathname + callback.search)).status).toBe(401);
    visitor.setCookie('__Host-wes_sign_on', flow);
    visitor.setCookie('__Host-wes_session', member.browser.token ?? '');
    expect((await visitor.get(callback.pathname + callback.search)).status).toBe(303);
    expect((await other.browser.request('GET', '/account')).body.email).toBe(other.email);
    expect((await member.browser.request('GET', '/account')).body.loggedIn).toBe(false);
  });

  it.each([
    ['an unknown name', '"><script>alert(1)</script>'],
    ['an organization without a provider', ''],
  ])('is not offered for %s', async (_, unknown) => {
    const name = unknown || (await addOrganization(owner)).slug;
    const visitor = new PageVisitor(api);
    const page = await visitor.get(`/sign-in/organization?organization=${encodeURIComponent(name)}`);
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining('id="organization-error"') });
    expect(page.text).not.toContain('<script>');
  });

  it('leads only to paths of the service', async () => {
    for (const returnTo of [
      'https://evil.example.com',
      '//evil.example.com',
      '/\\evil.example.com',
      'evil',
      '/\t/evil.example.com',
    ]) {
      const answer = await begin(openBrowser(api), organization, returnTo);
      expect([returnTo, answer.status]).toEqual([returnTo, 400]);
    }
    const browser = openBrowser(api);
    const { location } = await begin(browser, organization, '/account?tab=keys');
    const answer = await browser.request('GET', pathOf(await provider.signIn(location, await person())));
    expect(answer.headers.get('location')).toBe(`${new URL(api.baseUrl).origin}/account?tab=keys`);
  });

  it('leads to the home page where nothing else was wanted', async () => {
    const browser = openBrowser(api);
    const { location } = await begin(browser, organization);
    const answer = await browser.request('GET', pathOf(await provider.signIn(location, await person())));
    expect(answer.headers.get('location')).toBe(`${new URL(api.baseUrl).origin}/home`);
  });

  it('asks with PKCE, a state and a nonce', async () => {
    const { location, headers } = await begin(openBrowser(api), organization);
    const asked = new URL(location).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: organization.callbackUrl,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-wes_sign_on=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe('a person of the provider', () => {
  it('gets an account without addresses, whatever address the provider says', async () => {
    const taken = await stranger(api, workspace);
    const { accounts } = workspace.database.identity;
    const subject = await person({ email: taken.email });
    const browser = await signedOn(api, organization, provider, subject);
    const account = await browser.request('GET', '/account');
    expect(account.body).toMatchObject({ loggedIn: true, email: null, emailVerifiedAt: null });
    expect((await accounts.findByEmail(taken.email))?.id).toBe(taken.accountId);
    expect(account.body.uuid).not.toBe((await accounts.findById(taken.accountId))?.uuid);
    expect((await browser.request('GET', `/o/${organization.uuid}/membership`)).body).toMatchObject({
      role: 'member',
    });
    const again = await signedOn(api, organization, provider, subject);
    expect((await again.request('GET', '/account')).body.uuid).toBe(account.body.uuid);
    // The same subject at another organization is somebody else.
    const elsewhere = await addSsoOrganization(owner, provider);
    const there = await signedOn(api, elsewhere, provider, subject);
    expect((await there.request('GET', '/account')).body.uuid).not.toBe(account.body.uuid);
  });

  it('is one account, however many sign-ins end at once', async () => {
    const subject = await person();
    const browsers = [openBrowser(api), openBrowser(api), openBrowser(api)];
    const answers = await Promise.all(
      browsers.map((browser) => signOn(browser, organization, provider, subject)),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const accounts = await Promise.all(browsers.map((browser) => browser.request('GET', '/account')));
    expect(new Set(accounts.map(({ body }) => body.uuid)).size).toBe(1);
  });

  it('does not come in where the member is disabled', async () => {
    const subject = await person();
    const browser = await signedOn(api, organization, provider, subject);
    const members = await owner.browser.request('GET', organization.path('/organization-members'), {
      query: { sortOrder: 'desc' },
    });
    const path = organization.path(`/organization-members/${members.body.items[0].id}`);
    await owner.browser.request('PUT', path, { body: { status: 'disabled' } });
    expect(await browser.request('GET', '/account')).toMatchObject({ body: { loggedIn: false } });
    expect(await signOn(openBrowser(api), organization, provider, subject)).toMatchObject({
      status: 403,
      body: { code: 'member_disabled' },
    });
  });

  it('is of a domain that the organization lists, with an address that is not unverified', async () => {
    const domain = `${randomTag()}.example.com`;
    const closed = await addSsoOrganization(owner, provider, [domain]);
    const attempt = async (values: Parameters<typeof person>[0]) =>
      (await signOn(openBrowser(api), closed, provider, await person(values))).status;
    expect(await attempt({ email: `a@${domain}` })).toBe(303);
    expect(await attempt({ email: `b@sub.${domain}` })).toBe(401);
    expect(await attempt({ email: `c@${domain}`, emailVerified: false })).toBe(401);
    expect(await attempt({ email: 'nonsense' })).toBe(401);
  });

  it('is given members of its organization alone: no admins, and nobody whom a person has signed in as', async () => {
    const domain = `${randomTag()}.example.com`;
    const email = `kim@${domain}`;
    const admin = await personOf(api, workspace, workspace.admin);
    const closed = await addSsoOrganization(admin, provider, [domain]);
    await admin.browser.request('PUT', workspace.path('/organization'), {
      body: { organizationUuid: closed.uuid },
    });
    const role = await addRole(workspace, { permissions: ['chats:read'] });
    await addMemberRow(workspace, { memberRoleId: role.id, email });
    await addMemberRow(other, { memberRoleId: other.roles.member.id, email });
    const boss = `boss@${domain}`;
    await addMemberRow(workspace, { memberRoleId: workspace.roles.admin.id, email: boss });
    const known = `known@${domain}`;
    await addMember(workspace, { values: { email: known } });

    const kim = await signedOn(api, closed, provider, await person({ email }));
    expect(await kim.request('GET', workspace.path('/members/me'))).toMatchObject({
      status: expect.any(Number),
    });
    expect((await kim.request('GET', workspace.path(''))).status).toBe(200);
    expect((await kim.request('GET', other.path(''))).status).toBe(404);
    for (const address of [boss, known]) {
      const browser = await signedOn(api, closed, provider, await person({ email: address }));
      expect((await browser.request('GET', workspace.path(''))).status).toBe(404);
    }
    await admin.browser.request('DELETE', workspace.path('/organization'));
  });
});

describe('an account that exists', () => {
  const link = (browser: Pick<typeof owner.browser, 'request'>) =>
    browser.request('POST', `/o/${organization.uuid}/sso/link`, { body: {} });

  it('is linked by the person who is signed in to it, in the same session', async () => {
    const member = await stranger(api, workspace);
    expect(await link(member.browser)).toMatchObject({ status: 404 });
    await owner.browser.request('PUT', organization.path('/invitations'), { body: { email: member.email } });
    await member.browser.request('POST', `/o/${organization.uuid}/join`, { body: {} });
    const subject = await person();
    const { body } = await link(member.browser);
    const back = pathOf(await provider.signIn(body.url, subject));
    // A session that was planted meanwhile is not linked.
    const planted = await stranger(api, workspace);
    const own = member.browser.token;
    member.browser.token = planted.browser.token;
    const flow = member.browser.flow;
    expect(await member.browser.request('GET', back)).toMatchObject(refused);
    [member.browser.token, member.browser.flow] = [own, flow];
    expect((await member.browser.request('GET', back)).status).toBe(303);
    expect(member.browser.token).not.toBe(own);
    const account = await member.browser.request('GET', '/account');
    expect(account.body.email).toBe(member.email);
    const anew = await signedOn(api, organization, provider, subject);
    expect((await anew.request('GET', '/account')).body.uuid).toBe(account.body.uuid);
    // Another person cannot take it over by linking the same identity.
    const ownersLink = await link(owner.browser);
    const stolen = pathOf(await provider.signIn(ownersLink.body.url, subject));
    expect(await owner.browser.request('GET', stolen)).toMatchObject({
      status: 409,
      body: { code: 'identity_linked' },
    });
  });

  it('is not linked from a page of another origin, nor by a key', async () => {
    const headers = { Origin: 'https://evil.example.com' };
    const path = `/o/${organization.uuid}/sso/link`;
    expect(await owner.browser.request('POST', path, { body: {}, headers })).toMatchObject({ status: 403 });
    const { apiKey } = workspace.admin;
    expect(await api.request('POST', path, { body: {}, apiKey })).toMatchObject({ status: 403 });
  });
});
