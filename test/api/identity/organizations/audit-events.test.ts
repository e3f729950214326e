import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectAccountAuditEvents } from '../../../../db/identity/audit-events.js';
import { forgetOldIdentityAudit } from '../../../../domain/identity/audit/forget-old-audit.js';
import { systemClock } from '../../../../domain/lib/clock.js';
import { openBrowser, type TestBrowser } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { allDeleted } from '../../../support/lib/all-batches.js';
import { later } from '../../../support/lib/later.js';
import {
  type SimulatedIdentityProvider,
  startProvider,
} from '../../../support/simulators/simulated-identity-provider.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';
import { addOrganization, personOf, stranger } from '../../../support/workspace/organizations.js';
import { addSsoOrganization, begin, pathOf, signedOn } from '../../../support/workspace/single-sign-on.js';

const { api, workspace, asAdmin } = useApi();

interface Listed {
  action: string;
  names: string[];
  subjectType: string | null;
  actorMemberId: number | null;
}

const logOf = async (browser: TestBrowser, path: string): Promise<Listed[]> => {
  const { status, body } = await browser.request('GET', path);
  expect(status).toBe(200);
  return body.items;
};
const logs = ['/audit-events', '/audit-events/export'];
const acts = (events: readonly Listed[]) => events.map(({ action, names }) => [action, ...names]);

describe('the audit log of an organization', () => {
  it('has its members, invitations and settings, and who changed them', async () => {
    const owner = await stranger(api, workspace);
    const { uuid, path } = await addOrganization(owner);
    const member = await stranger(api, workspace);
    const invite = (email: string) =>
      owner.browser.request('PUT', path('/invitations'), { body: { email, role: 'admin' } });
    await invite(member.email);
    const other = await invite('nobody@example.com');
    await owner.browser.request('DELETE', path(`/invitations/${other.body.id}`));
    await member.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    await owner.browser.request('PUT', path(''), { body: { name: 'Called otherwise' } });
    const { body: list } = await owner.browser.request('GET', path('/organization-members'));
    const [own, joined] = list.items;
    const its = path(`/organization-members/${joined.id}`);
    await owner.browser.request('PUT', its, { body: { role: 'member', status: 'active' } });
    await owner.browser.request('DELETE', its);
    // A change that is refused is not in it.
    await owner.browser.request('DELETE', path(`/organization-members/${own.id}`));

    const log = await logOf(owner.browser, path('/audit-events'));
    expect(acts(log)).toEqual([
      ['organization_member:removed'],
      ['organization_member:updated', 'member', 'active'],
      ['organization:updated', 'name'],
      ['session:begun'],
      ['organization_member:added', 'invitation'],
      ['invitation:withdrawn'],
      ['invitation:created', 'admin'],
      ['invitation:created', 'admin'],
      ['organization:created'],
    ]);
    expect(log[0]).toMatchObject({ actorMemberId: own.id, subjectId: joined.id, credentialKind: 'session' });
    expect(log[4]).toMatchObject({ actorMemberId: joined.id, subjectId: joined.id });
    expect(JSON.stringify(log)).not.toMatch(/otherwise|example\.com/);
    const byIt = await owner.browser.request('GET', path('/audit-events'), {
      query: { actorMemberId: joined.id, sortOrder: 'asc', pageSize: 1 },
    });
    expect(byIt.body).toMatchObject({ total: 2, items: [{ action: 'organization_member:added' }] });

    expect(acts(await logOf(member.browser, '/account/audit-events')).slice(0, 3)).toEqual([
      ['organization:left'],
      ['organization_member:updated', 'member', 'active'],
      ['organization:joined', 'invitation'],
    ]);
  });

  it('is read by its owners and admins only', async () => {
    const owner = await stranger(api, workspace);
    const { uuid, path } = await addOrganization(owner);
    const member = await stranger(api, workspace);
    const ask = async (browser: TestBrowser) =>
      (await Promise.all(logs.map((log) => browser.request('GET', path(log))))).map(({ status }) => status);
    expect(await ask(member.browser)).toEqual([404, 404]);
    await owner.browser.request('PUT', path('/invitations'), { body: { email: member.email } });
    await member.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    expect(await ask(member.browser)).toEqual([403, 403]);
    const { apiKey } = workspace.admin;
    for (const log of logs) expect((await api.request('GET', path(log), { apiKey })).status).toBe(403);
    expect(acts(await logOf(owner.browser, path('/audit-events')))).not.toContainEqual(['audit:exported']);
  });

  it('is exported as a file, oldest first and filtered, which is recorded', async () => {
    const owner = await stranger(api, workspace);
    const { path } = await addOrganization(owner);
    const other = await addOrganization(owner);
    await owner.browser.request('PUT', other.path(''), { body: { slug: `s${randomTag()}` } });
    await owner.browser.request('PUT', path(''), { body: { name: '=HYPERLINK("x")' } });
    const file = async (query: object = {}) => {
      const { status, body } = await owner.browser.request<string>('GET', path('/audit-events/export'), {
        query: { ...query },
      });
      expect(status).toBe(200);
      const [header, ...rows] = body.trim().split(/\r?\n/);
      expect(header).toMatch(/^\uFEFF?id,created_at,action,actor_member_id,/);
      return rows;
    };
    const actions = (rows: readonly string[]) => rows.map((row) => row.split(',')[2]);
    const exported = ['organization:created', 'organization:updated', 'audit:exported'];
    expect(actions(await file())).toEqual(exported);
    expect(actions(await file({ action: 'organization:updated' }))).toEqual(['organization:updated']);
    const log = await logOf(owner.browser, path('/audit-events'));
    expect(log.filter(({ action }) => action === 'audit:exported')).toHaveLength(2);
    expect(log[0]).toMatchObject({ action: 'audit:exported', actorMemberId: expect.any(Number) });
  });

  it('is exported whole, also where its events are of one moment', async () => {
    const owner = await stranger(api, workspace);
    const { uuid, path } = await addOrganization(owner);
    const { database } = workspace;
    const organization = await database.identity.organizations.findByUuid(uuid);
    const created_at = new Date(Date.now() - 60_000);
    const events = Array.from({ length: 2_500 }, () => ({
      organization_id: organization?.id,
      created_at,
      action: 'organization:updated',
    }));
    await database.inIdentity((tx) => tx('identity.organization_audit_events').insert(events));
    const { body } = await owner.browser.request<string>('GET', path('/audit-events/export'));
    const ids = body
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((row) => row.split(',')[0]);
    expect([ids.length, new Set(ids).size]).toEqual([2_502, 2_502]);
  });

  it('has workspaces that join and leave, as has the workspace', async () => {
    const owner = await personOf(api, workspace, workspace.admin);
    const { uuid, path } = await addOrganization(owner);
    const place = workspace.path('/organization');
    const join = () => owner.browser.request('PUT', place, { body: { organizationUuid: uuid } });
    expect((await join()).status).toBe(200);
    // Joining again changes nothing.
    expect((await join()).status).toBe(200);
    expect((await owner.browser.request('DELETE', place)).status).toBe(204);

    const log = await logOf(owner.browser, path('/audit-events'));
    expect(acts(log)).toEqual([['workspace:left'], ['workspace:joined'], ['organization:created']]);
    expect(log[0]).toMatchObject({ subjectType: 'workspace', subjectId: workspace.workspaceId });
    const query = { subjectType: 'organization' };
    const { body } = await asAdmin('GET', '/audit-events', undefined, query);
    expect(acts(body.items)).toEqual([['organization:left'], ['organization:joined']]);
    expect(body.items[0]).toMatchObject({ actorMemberId: workspace.admin.memberId });
  });

  it('is forgotten after a year, as are the logs of accounts', async () => {
    const owner = await stranger(api, workspace);
    const { path } = await addOrganization(owner);
    const { database } = workspace;
    await database.inIdentity(async (tx) => {
      const old = { created_at: new Date(Date.now() - 366 * 86_400_000), action: 'organization:updated' };
      const { id } = await tx('identity.organizations').select('id').orderBy('id', 'desc').first();
      await tx('identity.organization_audit_events').insert({ ...old, organization_id: id });
      await tx('identity.audit_events').insert({ ...old, account_id: owner.accountId });
    });
    const context = { db: database, clock: systemClock };
    const forget = (log: 'audit_events' | 'organization_audit_events') =>
      allDeleted(() => forgetOldIdentityAudit(context, log));
    expect(await logOf(owner.browser, path('/audit-events'))).toHaveLength(2);
    expect((await forget('audit_events')) + (await forget('organization_audit_events'))).toBe(2);
    expect(await logOf(owner.browser, path('/audit-events'))).toHaveLength(1);
  });
});

describe('single sign-on', () => {
  let running: SimulatedIdentityProvider | undefined;
  const provider = later(() => running);
  beforeAll(async () => {
    running = await startProvider();
  });
  afterAll(() => running?.close());

  it('is in the logs of organization and account: settings, sign-ins, and refusals by reason and hour', async () => {
    const owner = await stranger(api, workspace);
    const organization = await addSsoOrganization(owner, provider);
    const subject = `subject-${randomTag()}`;
    await provider.setPerson(subject, { name: 'Person' });
    const person = await signedOn(api, organization, provider, subject);
    const { body: account } = await person.request('GET', '/account');
    await signedOn(api, organization, provider, subject);
    for (let time = 1; time <= 2; time += 1) {
      const browser = openBrowser(api);
      const back = await provider.signIn((await begin(browser, organization)).location, subject);
      await provider.setFaults({ token: 'forged' });
      expect((await browser.request('GET', pathOf(back))).status).toBe(401);
      await provider.setFaults({});
      // Without the cookie of a flow, an answer is anybody's, and not worth a row.
      expect((await openBrowser(api).request('GET', pathOf(back))).status).toBe(401);
    }
    await owner.browser.request('DELETE', organization.path('/sso'));

    const log = await logOf(owner.browser, organization.path('/audit-events'));
    expect(acts(log)).toEqual([
      ['identity_provider:removed'],
      ['login:refused', 'sso_refused'],
      ['session:begun', 'sso'],
      ['session:begun', 'sso'],
      ['organization_member:added', 'sso'],
      ['identity_provider:set', 'issuer', 'clientId', 'clientSecret', 'emailDomains'],
      ['organization:created'],
    ]);
    expect(log[1]).toMatchObject({ count: 2, actorMemberId: null, address: '127.0.0.1' });
    const { items: own } = await workspace.database.inIdentity((tx) =>
      selectAccountAuditEvents(
        tx,
        account.id,
        {},
        { page: 1, pageSize: 9, sortBy: 'createdAt', sortOrder: 'asc' },
      ),
    );
    expect(own.map(({ action, names }) => [action, ...names])).toEqual([
      ['identity:linked'],
      ['organization:joined', 'sso'],
      ['session:begun', 'sso'],
      ['session:begun', 'sso'],
    ]);
  });

  it('that becomes the only way in is in the log of each workspace', async () => {
    const admin = await addMember(workspace, { permissions: ['workspace:write', 'roles:write'] });
    const owner = await personOf(api, workspace, workspace.admin);
    const organization = await addSsoOrganization(owner, provider);
    const subject = `subject-${randomTag()}`;
    await provider.setPerson(subject, { name: 'Owner' });
    const body = { organizationUuid: organization.uuid };
    await owner.browser.request('PUT', workspace.path('/organization'), { body });
    const { location } = await owner.browser
      .request('POST', `/o/${organization.uuid}/sso/link`, { body: {} })
      .then(({ body }) => ({ location: body.url }));
    await owner.browser.request('GET', pathOf(await provider.signIn(location, subject)));
    const only = (ssoOnly: boolean) =>
      owner.browser.request('PUT', organization.path(''), {
        body: { ssoOnly, publicPath: organization.slug },
      });
    expect(await only(true)).toMatchObject({ status: 200 });
    expect((await api.request('GET', workspace.path('/members'), { apiKey: admin.apiKey })).status).toBe(403);
    expect(await only(false)).toMatchObject({ status: 200 });
    const { body: log } = await asAdmin('GET', '/audit-events', undefined, { subjectType: 'organization' });
    expect(acts(log.items).slice(0, 3)).toEqual([
      ['sso_only:ended'],
      ['sso_only:begun'],
      ['organization:joined'],
    ]);
  });
});
