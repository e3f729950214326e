import { describe, expect, it } from 'vitest';
import { startApi } from '../../../support/api/api.js';
import { useApi } from '../../../support/api/use-api.js';
import { addApiKey, addMember, randomTag, uniqueEmail } from '../../../support/workspace/factories.js';
import { addOrganization, personOf, stranger } from '../../../support/workspace/organizations.js';

const { api, workspace, otherWorkspace: other } = useApi();
const owner = () => stranger(api, workspace);

describe('POST /organizations', () => {
  it('makes the caller its owner, and keeps its slug apart', async () => {
    const person = await owner();
    const name = `Harbour ${randomTag()}`;
    const answer = await person.browser.request('POST', '/organizations', { body: { name } });
    expect(answer).toMatchObject({
      status: 201,
      body: { name, role: 'owner', hasLogo: false, workspaces: [] },
    });
    const again = await person.browser.request('POST', '/organizations', { body: { name } });
    expect(again.body.slug).toMatch(new RegExp(`^${answer.body.slug}-[0-9a-f]{8}$`));
    const listed = await person.browser.request('GET', '/organizations');
    expect(listed.body).toMatchObject({ total: 2, items: [{ role: 'owner' }, { role: 'owner' }] });
  });

  it.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'A', slug: 'No Slug' }, '/slug'],
    [{ name: 'A', slug: 'ab' }, '/slug'],
    [{ name: 'A', slug: '-abc' }, '/slug'],
    [{ name: 'A', slug: 'admin' }, '/slug'],
    // It would hide the organization that has it as its uuid.
    [{ name: 'A', slug: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01' }, '/slug'],
    [{ name: 'A', joinDomains: ['example'] }, '/joinDomains/0'],
    [{ name: 'A', joinDomains: ['a@example.com'] }, '/joinDomains/0'],
    [{ name: 'A', ssoOnly: true }, '/ssoOnly'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await api.request('POST', '/organizations', { apiKey: workspace.admin.apiKey, body });
    expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([400, pointer]);
  });

  it('gives no taken slug away, also to concurrent requests', async () => {
    const slug = `taken-${randomTag()}`;
    const people = await Promise.all([owner(), owner(), owner()]);
    const answers = await Promise.all(
      people.map(({ browser }) => browser.request('POST', '/organizations', { body: { name: 'A', slug } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ code: 'duplicate' });
  });

  it('follows the policy for workspaces, also for concurrent requests', async () => {
    const bounded = await startApi(workspace.database, { policy: { workspacesPerAccount: 1 } });
    const closed = await startApi(workspace.database, { policy: { workspaceCreation: 'superusers' } });
    try {
      const { apiKey, accountId } = await addMember(workspace, { permissions: ['workspace:write'] });
      const create = (on: typeof bounded, key = apiKey) =>
        on.request('POST', '/organizations', { apiKey: key, body: { name: 'Own' } });
      const answers = await Promise.all([create(bounded), create(bounded), create(bounded)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(await create(closed)).toMatchObject({ status: 403, body: { code: 'superuser_required' } });
      const limited = await addApiKey(workspace.database, accountId, { workspaceId: workspace.workspaceId });
      expect(await create(api, limited)).toMatchObject({ status: 403 });
    } finally {
      await bounded.close();
      await closed.close();
    }
  });
});

describe('an organization', () => {
  it('exists for its active members only, and changes for owners only', async () => {
    const person = await owner();
    const { uuid, path } = await addOrganization(person);
    const nobody = await stranger(api, workspace);
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'Mine' }],
      ['GET', '/organization-members', undefined],
      ['GET', '/invitations', undefined],
      ['PUT', '/invitations', { email: uniqueEmail() }],
    ] as const) {
      const foreign = await nobody.browser.request(method, path(rest), { body });
      expect([method, rest, foreign.status]).toEqual([method, rest, 404]);
      const anonymous = await api.request(method, path(rest), { body });
      expect([method, rest, anonymous.status]).toEqual([method, rest, 401]);
      const key = await api.request(method, path(rest), { body, apiKey: workspace.admin.apiKey });
      expect(key).toMatchObject({ status: 403, body: { code: 'session_required' } });
    }
    const member = await stranger(api, workspace);
    await person.browser.request('PUT', path('/invitations'), { body: { email: member.email } });
    await member.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    expect((await member.browser.request('GET', path(''))).body).not.toHaveProperty('workspaces');
    expect(await member.browser.request('PUT', path(''), { body: { name: 'Mine' } })).toMatchObject({
      status: 403,
    });
    expect(await member.browser.request('GET', path('/organization-members'))).toMatchObject({ status: 403 });
  });

  it('keeps its last owner, also where two owners leave at once', async () => {
    const person = await owner();
    const { uuid, path } = await addOrganization(person);
    const second = await stranger(api, workspace);
    const body = { email: second.email, role: 'owner' };
    await person.browser.request('PUT', path('/invitations'), { body });
    await second.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    const { body: list } = await person.browser.request('GET', path('/organization-members'));
    const ids: number[] = list.items.map(({ id }: { id: number }) => id);
    const answers = await Promise.all([
      person.browser.request('DELETE', path(`/organization-members/${ids[0]}`)),
      second.browser.request('PUT', path(`/organization-members/${ids[1]}`), { body: { role: 'admin' } }),
    ]);
    expect(answers.map(({ status }) => status)).toContain(409);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ body: { code: 'last_owner' } });
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  });

  it('does not let an admin make itself or others more than it is', async () => {
    const person = await owner();
    const { uuid, path } = await addOrganization(person);
    const admin = await stranger(api, workspace);
    const member = await stranger(api, workspace);
    await person.browser.request('PUT', path('/invitations'), {
      body: { email: admin.email, role: 'admin' },
    });
    await person.browser.request('PUT', path('/invitations'), { body: { email: member.email } });
    for (const { browser } of [admin, member]) await browser.request('POST', `/o/${uuid}/join`, { body: {} });
    const { body: list } = await admin.browser.request('GET', path('/organization-members'));
    const [ownerId, adminId, memberId] = list.items.map(({ id }: { id: number }) => id);
    const change = (id: number, body: object) =>
      admin.browser.request('PUT', path(`/organization-members/${id}`), { body });
    expect(await change(adminId, { role: 'owner' })).toMatchObject({ status: 403 });
    expect(await change(memberId, { role: 'admin' })).toMatchObject({ status: 403 });
    expect(await change(ownerId, { status: 'disabled' })).toMatchObject({ status: 403 });
    expect(await admin.browser.request('DELETE', path(`/organization-members/${ownerId}`))).toMatchObject({
      status: 403,
    });
    const body = { email: uniqueEmail(), role: 'admin' };
    expect(await admin.browser.request('PUT', path('/invitations'), { body })).toMatchObject({ status: 403 });
    expect(await change(memberId, { status: 'disabled' })).toMatchObject({ status: 200 });
    const joined = await member.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    expect(joined).toMatchObject({ status: 403, body: { code: 'member_disabled' } });
    expect((await member.browser.request('GET', `/o/${uuid}/membership`)).body).toMatchObject({
      status: 'disabled',
      role: 'member',
    });
    expect(await member.browser.request('GET', path(''))).toMatchObject({ status: 404 });
  });
});

describe('POST /o/{org_uuid}/join', () => {
  it('gives a stranger nothing who knows the uuid', async () => {
    const { uuid } = await addOrganization(await owner());
    const nobody = await stranger(api, workspace);
    const answer = await nobody.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    expect(answer).toMatchObject({ status: 403, body: { code: 'join_refused' } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await nobody.browser.request('GET', `/o/${uuid}/membership`)).toMatchObject({ status: 404 });
    expect(await api.request('POST', `/o/${uuid}/join`, { body: {} })).toMatchObject({ status: 401 });
    const { apiKey } = workspace.admin;
    expect(await api.request('POST', `/o/${uuid}/join`, { body: {}, apiKey })).toMatchObject({ status: 403 });
  });

  it('takes invited people once the address is proved, and makes one member of many requests', async () => {
    const person = await owner();
    const { uuid, path } = await addOrganization(person);
    const email = uniqueEmail();
    const invited = await person.browser.request('PUT', path('/invitations'), {
      body: { email: email.toUpperCase() },
    });
    expect(invited.body).toMatchObject({ email, role: 'member' });
    // The account has the address, and has proved another one.
    const unproved = await stranger(api, workspace);
    const { accounts } = workspace.database.identity;
    await accounts.update(unproved.accountId, { email, emailVerifiedAt: null });
    expect(await unproved.browser.request('POST', `/o/${uuid}/join`, { body: {} })).toMatchObject({
      status: 403,
    });
    await accounts.update(unproved.accountId, { emailVerifiedAt: new Date() });

    const answers = await Promise.all(
      [1, 2, 3].map(() => unproved.browser.request('POST', `/o/${uuid}/join`, { body: {} })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const members = await person.browser.request('GET', path('/organization-members'));
    expect(members.body).toMatchObject({
      total: 2,
      items: [{}, { email, joinedBy: 'invitation', role: 'member' }],
    });
    expect((await person.browser.request('GET', path('/invitations'))).body.total).toBe(0);
  });

  it('takes who has proved an address of a domain, and of no other', async () => {
    const domain = `${randomTag()}.example.com`;
    const { uuid } = await addOrganization(await owner(), { joinDomains: [domain.toUpperCase()] });
    const inside = await stranger(api, workspace, `kim@${domain}`);
    const outside = await stranger(api, workspace, `kim@sub.${domain}`);
    const join = (one: typeof inside) => one.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    expect(await join(inside)).toMatchObject({ status: 200, body: { role: 'member', status: 'active' } });
    expect(await join(outside)).toMatchObject({ status: 403 });
  });

  it('sets a new cookie each time, and only for pages of the service', async () => {
    const person = await owner();
    const { uuid } = await addOrganization(person);
    const first = await person.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    const planted = person.browser.organization;
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^__Host-wes_org_session=[\w-]{43}; Max-Age=\d+; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    await person.browser.request('POST', `/o/${uuid}/join`, { body: {} });
    expect(person.browser.organization).not.toBe(planted);
    const headers = { Origin: 'https://evil.example.com' };
    expect(await person.browser.request('POST', `/o/${uuid}/join`, { body: {}, headers })).toMatchObject({
      status: 403,
      body: { code: 'origin_not_allowed' },
    });
    await person.browser.request('DELETE', '/sessions/current');
    expect([person.browser.token, person.browser.organization]).toEqual([undefined, undefined]);
  });
});

describe('GET /o/{org}/config', () => {
  it('tells everybody what a page for signing in shows, by exactly the uuid or the slug', async () => {
    const { uuid, slug } = await addOrganization(await owner());
    for (const name of [uuid, slug, uuid.toUpperCase()]) {
      const answer = await api.request('GET', `/o/${name}/config`);
      expect(answer).toMatchObject({ status: 200, body: { uuid, slug, logoUrl: null } });
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=60');
    }
    for (const name of [slug.slice(0, -1), `${slug}%25`, slug.toUpperCase(), '%27', uuid.slice(1)]) {
      expect((await api.request('GET', `/o/${name}/config`)).status).toBe(404);
    }
  });

  it('counts callers by their address', async () => {
    const limited = await startApi(workspace.database, { rateLimits: { address: 1 } });
    try {
      const path = `/o/none-${randomTag()}/config`;
      const statuses = [await limited.request('GET', path), await limited.request('GET', path)];
      expect(statuses.map(({ status }) => status)).toEqual([404, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('/w/{workspace_uuid}/organization', () => {
  it('needs a person who speaks for both sides', async () => {
    const admin = await personOf(api, workspace, workspace.admin);
    const foreign = await addOrganization(await owner());
    const path = workspace.path('/organization');
    const put = (organizationUuid: string, one = admin) =>
      one.browser.request('PUT', path, { body: { organizationUuid } });
    // An admin of the workspace who is not in the organization, and an owner of it without the workspace.
    expect(await put(foreign.uuid)).toMatchObject({ status: 404 });
    const own = await addOrganization(admin);
    const plain = await personOf(api, workspace, workspace.member);
    expect(await put(own.uuid, plain)).toMatchObject({ status: 403 });
    const { apiKey } = workspace.admin;
    expect(await api.request('PUT', path, { apiKey, body: { organizationUuid: own.uuid } })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    });
    expect(await admin.browser.request('GET', path)).toMatchObject({ status: 404 });

    expect(await put(own.uuid)).toMatchObject({ status: 200, body: { uuid: own.uuid } });
    expect(await put(own.uuid)).toMatchObject({ status: 200 });
    const second = await addOrganization(admin);
    expect(await put(second.uuid)).toMatchObject({ status: 409, body: { code: 'other_organization' } });
    expect((await admin.browser.request('GET', own.path(''))).body.workspaces).toEqual([
      { uuid: workspace.workspaceUuid, name: expect.any(String) },
    ]);
    expect(await admin.browser.request('DELETE', path)).toMatchObject({ status: 204 });
    expect(await admin.browser.request('GET', path)).toMatchObject({ status: 404 });
  });

  it('is not for superusers with support access', async () => {
    const root = await stranger(api, other);
    await other.database.identity.accounts.update(root.accountId, { isSuperuser: true });
    const own = await addOrganization(root);
    const support = { body: { reason: 'Request 1' } };
    await root.browser.request('PUT', other.path('/support-access'), support);
    const body = { organizationUuid: own.uuid };
    expect(await root.browser.request('PUT', other.path('/organization'), { body })).toMatchObject({
      status: 403,
    });
  });
});

describe('the logo', () => {
  it('is a public image of a workspace of the organization, and is gone when it is not public any more', async () => {
    const admin = await personOf(api, other, other.admin);
    const own = await addOrganization(admin);
    const upload = async (access: string) => {
      const form = new FormData();
      form.append('access', access);
      form.append('file', new Blob([onePixel], { type: 'image/png' }), 'logo.png');
      return admin.browser.request('POST', other.path('/files'), { multipart: form });
    };
    const [shown, hidden] = [await upload('public'), await upload('private')];
    const put = (fileId: number) =>
      admin.browser.request('PUT', own.path(''), {
        body: { logo: { workspaceUuid: other.workspaceUuid, fileId } },
      });
    expect((await put(shown.body.id)).body.errors?.[0].pointer).toBe('/logo/workspaceUuid');
    await admin.browser.request('PUT', other.path('/organization'), { body: { organizationUuid: own.uuid } });
    expect((await put(hidden.body.id)).body.errors?.[0].pointer).toBe('/logo/fileId');
    expect(await put(shown.body.id)).toMatchObject({ status: 200, body: { hasLogo: true } });
    const { body } = await api.request('GET', `/o/${own.slug}/config`);
    const bytes = await fetch(body.logoUrl);
    expect([bytes.status, bytes.headers.get('Content-Type')]).toEqual([200, 'image/png']);

    await admin.browser.request('PUT', other.path(`/files/${shown.body.id}`), {
      body: { access: 'private' },
    });
    expect((await api.request('GET', `/o/${own.slug}/config`)).body.logoUrl).toBeNull();
  });
});

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
