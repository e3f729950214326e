import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathParameterExamples } from '../../../../api/http/demo.js';
import type { Route } from '../../../../api/http/route.js';
import { routes } from '../../../../api/resources/index.js';
import { openBrowser, type TestBrowser } from '../../../support/api/browser.js';
import { PageVisitor } from '../../../support/api/page-visitor.js';
import { useApi } from '../../../support/api/use-api.js';
import { later } from '../../../support/lib/later.js';
import {
  type SimulatedIdentityProvider,
  startProvider,
} from '../../../support/simulators/simulated-identity-provider.js';
import { addMemberRow, addRole, randomTag } from '../../../support/workspace/factories.js';
import { addOrganization, personOf, stranger } from '../../../support/workspace/organizations.js';
import { addSsoOrganization, pathOf, signedOn, signOn } from '../../../support/workspace/single-sign-on.js';

const { api, database, workspace, otherWorkspace: other } = useApi();
let running: SimulatedIdentityProvider | undefined;
const provider = later(() => running);
let organization: Awaited<ReturnType<typeof addSsoOrganization>>;
let elsewhere: Awaited<ReturnType<typeof addOrganization>>;

/** A person in a session by a code, the subject that its account is linked to, and the provider's session of that subject. */
let vic: { browser: TestBrowser; email: string };
const subject = `subject-${randomTag()}`;
let byProvider: TestBrowser;
let founder: { browser: TestBrowser };

beforeAll(async () => {
  running = await startProvider();
  founder = await personOf(api, workspace, workspace.admin);
  organization = await addSsoOrganization(founder, provider);
  await founder.browser.request('PUT', workspace.path('/organization'), {
    body: { organizationUuid: organization.uuid },
  });
  vic = await personOf(api, other, other.admin);
  const role = await addRole(workspace, { permissions: ['members:impersonate'] });
  const { id: memberId } = await addMemberRow(workspace, { memberRoleId: role.id });
  await database.database.identity.memberships.add({
    workspaceId: workspace.workspaceId,
    memberId,
    accountId: other.admin.accountId,
  });
  elsewhere = await addOrganization(vic);
  await invite(vic.email);
  await link(vic.browser, subject);
  byProvider = await signedOn(api, organization, provider, subject);
});
afterAll(() => running?.close());

const invite = (email: string) =>
  founder.browser.request('PUT', organization.path('/invitations'), { body: { email } });

/** The person joins, and links its account to what the provider says. */
async function link(browser: TestBrowser, linked: string) {
  await provider.setPerson(linked, { name: 'Vic' });
  await browser.request('POST', `/o/${organization.uuid}/join`, { body: {} });
  const { body } = await browser.request('POST', `/o/${organization.uuid}/sso/link`, { body: {} });
  const answer = await browser.request('GET', pathOf(await provider.signIn(body.url, linked)));
  expect(answer.status).toBe(303);
}

const confined = { status: 403, body: { code: 'session_by_provider' } };
const unknown = { status: 404 };

/** What is open to every session, because it names no place, and tells of the organization or what is the same for all. */
const openWithoutPlace = [
  'getAccount',
  'getSiteMapping',
  'listAiModels',
  'listAiVoices',
  'listChatModels',
  'listImageModels',
  'listOrganizations',
  'listRealtimeModels',
  'listSpeechToTextModels',
  'listTextToSpeechModels',
  'listWorkspaces',
];
/** What makes a credential that lasts longer than the session, in a workspace of the organization. */
const makesCredentials = ['createMemberToken'];
const credentialled = routes.filter(({ access }) =>
  ['member', 'account', 'session', 'optional'].includes(access.kind),
);
const namesPlace = ({ path }: Route) => /\{(workspace|organization|org)_uuid\}/.test(path);

describe('a session by the provider of an organization', () => {
  it('is open to the routes that are named here, and to those of a workspace or an organization', () => {
    const open = credentialled.filter((route) => route.access.openToProviders === true && !namesPlace(route));
    expect(open.map(({ operationId }) => operationId).sort()).toEqual(openWithoutPlace);
    const closed = credentialled.filter(
      ({ access }) => access.kind === 'member' && access.openToProviders !== true,
    );
    expect(closed.map(({ operationId }) => operationId)).toEqual(makesCredentials);
  });

  it.each(
    credentialled
      .filter(({ operationId }) => !openWithoutPlace.includes(operationId))
      .map((route) => [route.operationId, route] as const),
  )('is good for nothing outside of it: %s', async (_, route) => {
    const { method, access, example } = route;
    const places: Record<string, string | number> = {
      workspace_uuid: other.workspaceUuid,
      organization_uuid: elsewhere.uuid,
      org_uuid: elsewhere.uuid,
    };
    const path = route.path.replace(/\{(\w+)\}/g, (_all, name) =>
      encodeURIComponent(String(places[name] ?? example?.params?.[name] ?? pathParameterExamples[name])),
    );
    const isJson = route.consumes === 'json' && example?.body !== undefined;
    const answer = await byProvider.request(method, path, isJson ? { body: example.body } : {});
    const isClosed = access.kind !== 'member' && access.openToProviders !== true;
    if (access.kind !== 'optional') {
      expect(answer).toMatchObject(isClosed ? confined : unknown);
      return;
    }
    // What anybody may read, the session reads as anybody.
    expect(answer.status).toBe((await openBrowser(api).request(method, path)).status);
  });

  it('is good in the organization and its workspaces, and makes no lasting credential there', async () => {
    expect(await byProvider.request('GET', workspace.path(''))).toMatchObject({ status: 200 });
    expect(await byProvider.request('GET', `/o/${organization.uuid}/membership`)).toMatchObject({
      body: { role: 'member' },
    });
    const tokens = workspace.path(`/members/${workspace.member.memberId}/tokens`);
    expect(await byProvider.request('POST', tokens)).toMatchObject(confined);
    expect(await vic.browser.request('POST', tokens)).toMatchObject({ status: 201 });
    expect(await byProvider.request('GET', '/ai-models/chat')).toMatchObject({ status: 200 });
  });

  it('tells of the account what the organization knows', async () => {
    const { body: own } = await vic.browser.request('GET', '/account');
    expect(own.email).toBe(vic.email);
    const { body } = await byProvider.request('GET', '/account');
    expect(body).toMatchObject({ loggedIn: true, uuid: own.uuid, email: null, phone: null });
    const uuidsAt = async (path: string) =>
      (await byProvider.request('GET', path)).body.items.map(({ uuid }: { uuid: string }) => uuid);
    expect(await uuidsAt('/workspaces')).toEqual([workspace.workspaceUuid]);
    expect(await uuidsAt('/organizations')).toEqual([organization.uuid]);
  });

  it('lets no application in, and shows no settings', async () => {
    const visitor = new PageVisitor(api);
    visitor.setCookie('__Host-wes_session', byProvider.token ?? '');
    for (const path of [
      '/settings',
      '/settings/api-keys',
      '/settings/applications/new',
      '/settings/connections',
      '/settings/sessions',
      '/api/v2/oauth/consent/anything',
    ]) {
      const page = await visitor.get(path);
      expect([path, page.status]).toEqual([path, 403]);
      expect(page.text).toContain('Sign in with a code');
      expect(page.text).not.toContain(vic.email);
    }
  });

  it('lands at a page that shows its workspaces, without the settings', async () => {
    const visitor = new PageVisitor(api);
    visitor.setCookie('__Host-wes_session', byProvider.token ?? '');
    const { status, text } = await visitor.get('/home');
    expect(status).toBe(200);
    expect(text.match(/<section/g)).toHaveLength(1);
    expect(text).not.toContain('href="/settings');
    expect(text).not.toContain(vic.email);
  });

  it('ends within twelve hours, and with the membership of the organization', async () => {
    const { sessions } = database.database.identity;
    const joined = await stranger(api, workspace);
    await invite(joined.email);
    const linked = `subject-${randomTag()}`;
    await link(joined.browser, linked);
    const browser = await signedOn(api, organization, provider, linked);
    const owner = { accountId: joined.accountId, workspaceId: null, memberId: null };
    const page = { page: 1, pageSize: 9, sortBy: 'createdAt', sortOrder: 'desc' } as const;
    const now = new Date();
    const { items } = await sessions.listOpen(owner, { now, idleSince: new Date(0) }, page);
    const hours = items.map(({ expiresAt }) => (expiresAt.getTime() - now.getTime()) / 3_600_000);
    expect(hours.filter((left) => left <= 12)).toHaveLength(1);

    const members = await founder.browser.request('GET', organization.path('/organization-members'), {
      query: { sortOrder: 'desc' },
    });
    const { id } = members.body.items[0];
    await founder.browser.request('DELETE', organization.path(`/organization-members/${id}`));
    expect(await browser.request('GET', '/workspaces')).toMatchObject({ status: 401 });
    expect(await joined.browser.request('GET', '/workspaces')).toMatchObject({ status: 200 });
  });
});

describe('a superuser', () => {
  it('is not linked, nor signed in by what was linked before', async () => {
    const boss = await stranger(api, workspace);
    await invite(boss.email);
    const linked = `subject-${randomTag()}`;
    await link(boss.browser, linked);
    const before = await signedOn(api, organization, provider, linked);
    expect((await before.request('GET', '/workspaces')).status).toBe(200);

    await database.database.identity.accounts.update(boss.accountId, { isSuperuser: true });

    expect(await before.request('GET', '/workspaces')).toMatchObject({ status: 401 });
    expect(await before.request('GET', '/phone-number-pool')).toMatchObject({ status: 401 });
    expect(await before.request('GET', workspace.path(''))).toMatchObject({ status: 401 });
    expect(await signOn(openBrowser(api), organization, provider, linked)).toMatchObject({
      status: 401,
      body: { code: 'sso_refused' },
    });
    const again = await boss.browser.request('POST', `/o/${organization.uuid}/sso/link`, { body: {} });
    expect(again).toMatchObject({ status: 403, body: { code: 'superuser_not_linked' } });
    expect((await boss.browser.request('GET', '/phone-number-pool')).status).toBe(200);
  });
});
