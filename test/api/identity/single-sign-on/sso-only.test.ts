import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { later } from '../../../support/lib/later.js';
import {
  type SimulatedIdentityProvider,
  startProvider,
} from '../../../support/simulators/simulated-identity-provider.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMemberRow, randomTag } from '../../../support/workspace/factories.js';
import { personOf, stranger } from '../../../support/workspace/organizations.js';
import { addSsoOrganization, pathOf } from '../../../support/workspace/single-sign-on.js';
import { useSignedApi } from '../../channels/carrier-messages/signed-api.js';

const { api, database, workspace, otherWorkspace: other } = useApi();
const carrier = useSignedApi(() => database.database);
let running: SimulatedIdentityProvider | undefined;
const provider = later(() => running);
const publicPath = `hooks-${randomTag()}`;

/** The owner in its session by the provider, and in one by a code. */
let admin: TestBrowser;
let byCode: TestBrowser;
let organization: Awaited<ReturnType<typeof addSsoOrganization>>;
let memberToken: string;
let memberSession: TestBrowser;
const put = (browser: TestBrowser, body: object) => browser.request('PUT', organization.path(''), { body });
const required = { status: 403, body: { code: 'sso_required' } };

beforeAll(async () => {
  running = await startProvider();
  const owner = await personOf(api, workspace, workspace.admin);
  admin = owner.browser;
  byCode = openBrowser(api);
  await byCode.signIn({ email: owner.email });
  organization = await addSsoOrganization(owner, provider);
  await admin.request('PUT', workspace.path('/organization'), {
    body: { organizationUuid: organization.uuid },
  });
  const token = async () => {
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const { apiKey } = workspace.admin;
    return (await api.request('POST', workspace.path(`/members/${id}/tokens`), { apiKey })).body.token;
  };
  memberToken = await token();
  memberSession = openBrowser(api);
  await memberSession.request('POST', '/sessions', { body: { memberToken: await token() } });
  expect((await memberSession.request('GET', workspace.path(''))).status).toBe(200);
});
afterAll(() => running?.close());

describe('an organization', () => {
  it('is entered by its provider only once a person has shown that it works', async () => {
    expect(await put(admin, { ssoOnly: true })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/publicPath' }] },
    });
    expect(await put(admin, { ssoOnly: true, publicPath })).toMatchObject({
      status: 409,
      body: { code: 'sso_unproved' },
    });
    await provider.setPerson('boss', { name: 'The boss' });
    const { body } = await admin.request('POST', `/o/${organization.uuid}/sso/link`, { body: {} });
    expect((await admin.request('GET', pathOf(await provider.signIn(body.url, 'boss')))).status).toBe(303);
    expect(await put(admin, { ssoOnly: true, publicPath })).toMatchObject({
      status: 200,
      body: { ssoOnly: true },
    });
    expect((await api.request('GET', `/o/${organization.slug}/config`)).body.sso).toMatchObject({
      enabled: true,
      only: true,
    });
  });

  it('is then managed with a session by the provider', async () => {
    expect(await put(byCode, { ssoOnly: false })).toMatchObject(required);
    expect(await byCode.request('DELETE', organization.path('/sso'))).toMatchObject(required);
    expect(await byCode.request('GET', organization.path('/organization-members'))).toMatchObject(required);
    expect(await byCode.request('POST', `/o/${organization.uuid}/join`, { body: {} })).toMatchObject(
      required,
    );
    expect(await admin.request('DELETE', organization.path('/sso'))).toMatchObject({
      status: 409,
      body: { code: 'sso_only' },
    });
    expect(await put(admin, { publicPath: null })).toMatchObject({ status: 400 });
  });
});

describe('its workspaces are closed to', () => {
  it('sessions that began with a code', async () => {
    expect((await admin.request('GET', workspace.path(''))).status).toBe(200);
    expect(await byCode.request('GET', workspace.path(''))).toMatchObject(required);
    const listed = (await byCode.request('GET', '/workspaces')).body.items.map(
      ({ uuid }: { uuid: string }) => uuid,
    );
    expect(listed).not.toContain(workspace.workspaceUuid);
    const own = (await admin.request('GET', '/workspaces')).body.items.map(
      ({ uuid }: { uuid: string }) => uuid,
    );
    expect(own).toContain(workspace.workspaceUuid);
    // The cookie of the organization is good with its own session only, and that session only with the cookie.
    const mixed = openBrowser(api);
    Object.assign(mixed, { token: byCode.token, organization: admin.organization });
    expect(await mixed.request('GET', workspace.path(''))).toMatchObject(required);
    Object.assign(mixed, { token: admin.token, organization: undefined });
    expect(await mixed.request('GET', workspace.path(''))).toMatchObject(required);
  });

  it('API keys', async () => {
    const { apiKey } = workspace.admin;
    expect(await api.request('GET', workspace.path(''), { apiKey })).toMatchObject(required);
    expect(await api.request('GET', workspace.path('/members'), { apiKey })).toMatchObject(required);
    expect((await api.request('GET', '/workspaces', { apiKey })).body.total).toBe(0);
    // To who is no member, it is not told.
    expect(await api.request('GET', workspace.path(''), { apiKey: other.admin.apiKey })).toMatchObject({
      status: 404,
    });
  });

  it('member tokens', async () => {
    const refused = { status: 401, body: { code: 'login_refused' } };
    const enter = openBrowser(api).request('POST', '/sessions', { body: { memberToken } });
    expect(await enter).toMatchObject(refused);
    expect(await memberSession.request('GET', workspace.path(''))).toMatchObject(required);
    expect(await memberSession.request('GET', '/sessions')).toMatchObject({ status: 401 });
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    expect(await admin.request('POST', workspace.path(`/members/${id}/tokens`))).toMatchObject({
      status: 409,
      body: { code: 'sso_only' },
    });
    const signup = await admin.request('POST', workspace.path('/create-signup'), {
      body: { member: { name: 'New' } },
    });
    if (signup.status < 300) expect(signup.body.token ?? null).toBeNull();
  });

  it('support access', async () => {
    const root = await stranger(api, workspace);
    await workspace.database.identity.accounts.update(root.accountId, { isSuperuser: true });
    const body = { reason: 'Request 1' };
    expect(await root.browser.request('PUT', workspace.path('/support-access'), { body })).toMatchObject(
      required,
    );
  });

  it('sessions by the provider that have ended, or whose member is disabled', async () => {
    const { identity } = workspace.database;
    const found = await identity.organizations.findByUuid(organization.uuid);
    await workspace.database.inIdentity(async (tx) => {
      const held = { organizationId: found?.id ?? 0, accountId: workspace.admin.accountId };
      await identity.organizationSessions.endAll(held, new Date(), tx);
    });
    expect(await admin.request('GET', workspace.path(''))).toMatchObject(required);
    const again = openBrowser(api);
    const start = await again.request('GET', `/o/${organization.slug}/sso/start`);
    const back = await provider.signIn(start.headers.get('location') ?? '', 'boss');
    expect((await again.request('GET', pathOf(back))).status).toBe(303);
    expect((await again.request('GET', workspace.path(''))).status).toBe(200);
  });
});

describe('the carrier', () => {
  const message = `/w/{uuid}/carrier-messages/5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f07/status`;
  const call = `/w/{uuid}/carrier-calls/5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f0c/status`;
  const sid = 'SM00000000000000000000000000000002';
  const callSid = 'CA00000000000000000000000000000009';
  const forms = [
    [message, { MessageSid: sid, MessageStatus: 'delivered' }, 204],
    [call, { CallSid: callSid, CallStatus: 'completed' }, 204],
  ] as const;

  it.each(forms)('calls back below the public path only: %s', async (path, form, status) => {
    const at = path.replace('{uuid}', workspace.workspaceUuid);
    const plain = await carrier.call(`${at}?attempt=1`, form);
    expect([plain.status, JSON.stringify(plain.body)]).toEqual([
      401,
      expect.stringContaining('off_public_path'),
    ]);
    expect((await carrier.call(`/public/another-path${at}?attempt=1`, form)).status).toBe(401);
    expect((await carrier.call(`/public/${publicPath}${at}?attempt=1`, form)).status).toBe(status);
    // Its signature covers the address as it was called.
    const unsigned = await carrier.callUnsigned(`/public/${publicPath}${at}?attempt=1`, form, {
      path: `${at}?attempt=1`,
    });
    expect(unsigned).toMatchObject({ status: 401 });
    const foreign = path.replace('{uuid}', other.workspaceUuid);
    expect((await carrier.call(`${foreign}?attempt=1`, form)).status).toBe(status);
    expect((await carrier.call(`/public/${publicPath}${foreign}?attempt=1`, form)).status).toBe(401);
  });

  it('brings messages and calls for its numbers below the public path only', async () => {
    const { number } = await addPhoneNumber(workspace);
    const sms = {
      MessageSid: `SM${randomTag().padEnd(32, '0')}`,
      From: '+12025550177',
      To: number,
      Body: 'Hello',
    };
    const incoming = { CallSid: `CA${randomTag().padEnd(32, '0')}`, From: '+12025550177', To: number };
    expect((await carrier.call('/carrier-messages/inbound', sms)).status).toBe(401);
    expect((await carrier.call('/carrier-calls/inbound', incoming)).status).toBe(401);
    expect((await carrier.call(`/public/${publicPath}/carrier-messages/inbound`, sms)).status).toBe(200);
    expect((await carrier.call(`/public/${publicPath}/carrier-calls/inbound`, incoming)).status).toBe(200);
  });

  it('finds nothing else below a public path', async () => {
    const answer = await admin.request('GET', `/public/${publicPath}${workspace.path('')}`);
    expect(answer.status).toBe(404);
    expect((await api.request('GET', `/public/${publicPath}/o/${organization.slug}/config`)).status).toBe(
      404,
    );
  });
});

describe('a superuser', () => {
  it('may end it, and change nothing else', async () => {
    const root = await stranger(api, workspace);
    await workspace.database.identity.accounts.update(root.accountId, { isSuperuser: true });
    expect(await put(root.browser, { ssoOnly: false, name: 'Mine' })).toMatchObject({ status: 404 });
    expect(await put(root.browser, { ssoOnly: false })).toMatchObject({
      status: 200,
      body: { ssoOnly: false, role: null },
    });
    expect((await byCode.request('GET', workspace.path(''))).status).toBe(200);
    expect((await api.request('GET', workspace.path(''), { apiKey: workspace.admin.apiKey })).status).toBe(
      200,
    );
  });
});
