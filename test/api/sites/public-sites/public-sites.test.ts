import { describe, expect, it } from 'vitest';
import { MemberRoleModel } from '../../../../db/people/models/member-role.js';
import { type TestBrowser, visitorsOf } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addMember,
  addRole,
  createWorkspace,
  randomTag,
  uniqueEmail,
} from '../../../support/workspace/factories.js';
import { stranger } from '../../../support/workspace/organizations.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi({ trustedProxies: 1 });

const create = async (body: object = {}) =>
  (await asAdmin('POST', '/sites', { name: `Site ${randomTag()}`, isPublic: true, ...body })).body;
const placeOf = (site: { uuid: string }, place = workspace) => `/s/${place.workspaceUuid}/${site.uuid}`;
const read = (site: { uuid: string }, apiKey?: string) => api.request('GET', placeOf(site), { apiKey });
const teamOnly = [
  ...[
    'ownerId',
    'pageCount',
    'signupMemberRoleId',
    'signupMemberRoleName',
    'assetsFolderId',
    'sourceFolderId',
  ],
  ...['sourceReleaseId', 'defaultWorkflowId', 'chatGreeting', 'visitorChatsPerDay', 'crawl', 'crawlUrl'],
  ...['crawlStartedAt', 'crawlCompletedAt', 'crawlCompleted', 'crawlFailedAt', 'crawlError', 'crawlJobId'],
  ...['crawlExcludedTags', 'crawlPrevious', 'crawlLimit'],
];

describe('a site at its public address', () => {
  it('is read by visitors if it is public, without what only its team needs', async () => {
    const site = await create({ tagLine: 'For all', themeSettings: { baseSize: 20 } });
    const { status, body } = await read(site);
    expect(status).toBe(200);
    expect(body).toMatchObject({ uuid: site.uuid, tagLine: 'For all', authorized: false, isPublic: true });
    expect(Object.keys(body).filter((name) => [...teamOnly, 'permissions'].includes(name))).toEqual([]);
  });

  it('is read by members of its workspace in any case, without what only its team needs', async () => {
    const site = await create({ isPublic: false });
    await asAdmin('PUT', `/sites/${site.id}/domain`, { domain: `${randomTag()}.example` });
    expect(await read(site)).toMatchObject({ status: 404 });
    const { body } = await read(site, workspace.member.apiKey);
    expect(body).toMatchObject({ authorized: true, permissions: 1, customDomain: null });
    expect(Object.keys(body).filter((name) => teamOnly.includes(name))).toEqual([]);
    expect((await asMember('GET', `/sites/${site.id}`)).body).toEqual(body);
    const [listed] = (await asMember('GET', '/sites', undefined, { search: site.slug })).body.items;
    expect(listed).toEqual(body);
  });

  it.each(['sites:read', 'sites:write'] as const)(
    'is read with all fields by a role with %s',
    async (permission) => {
      const site = await create({ isPublic: false });
      await asAdmin('PUT', `/sites/${site.id}/domain`, { domain: `${randomTag()}.example` });
      const { apiKey } = await addMember(workspace, { permissions: [permission] });
      const { body } = await read(site, apiKey);
      expect(teamOnly.filter((name) => !(name in body))).toEqual([]);
      expect(body.customDomain).toMatch(/\.example$/);
    },
  );

  it('is read without these fields by a credential whose scopes do not cover the permission of its role', async () => {
    const site = await create();
    const { apiKey } = await addMember(workspace, { permissions: ['sites:write'], scopes: ['sites:read'] });
    const { body } = await read(site, apiKey);
    expect(body).toMatchObject({ authorized: true, permissions: 1 });
    expect(Object.keys(body).filter((name) => teamOnly.includes(name))).toEqual([]);
  });

  it('is a visit for members of other workspaces, who see no more than strangers', async () => {
    const open = await create();
    const closed = await create({ isPublic: false });
    const { apiKey } = otherWorkspace.admin;
    expect((await read(open, apiKey)).body).toMatchObject({ authorized: false });
    expect((await read(closed, apiKey)).status).toBe(404);
    // Under the path of a workspace that is theirs, it is not there.
    expect((await api.request('GET', placeOf(open, otherWorkspace), { apiKey })).status).toBe(404);
  });

  it.each(['not-a-uuid', '00000000-0000-4000-8000-000000000000'])('is not found by %s', async (uuid) => {
    expect([400, 404]).toContain((await read({ uuid })).status);
  });
});

const visitor = visitorsOf(api);
async function somebody(): Promise<{ browser: TestBrowser; email: string; accountId: number }> {
  const found = await stranger(api, workspace);
  return found;
}
const signUp = (browser: TestBrowser, site: { uuid: string }) =>
  browser.request('POST', `${placeOf(site)}/signup`);
const memberCount = async (email: string) =>
  (await asAdmin('GET', '/members', undefined, { search: email })).body.items.length;

describe('signing up through a site', () => {
  it('makes the account that is signed in a member once, with the role of the site', async () => {
    const role = await addRole(workspace, { permissions: [] });
    const site = await create({ allowSignup: true, signupMemberRoleId: role.id });
    const { browser, email } = await somebody();
    const first = await signUp(browser, site);
    expect(first).toMatchObject({ status: 200, body: { status: 'success', roleName: role.name } });
    const again = await signUp(browser, site);
    expect(again.body).toMatchObject({
      status: 'already_member',
      memberId: first.body.memberId,
      roleName: role.name,
    });
    expect((await asAdmin('GET', `/members/${first.body.memberId}`)).body).toMatchObject({
      email,
      memberRoleId: role.id,
    });
    const { body } = await asAdmin('GET', '/audit-events', undefined, { pageSize: 100 });
    expect(body.items).toContainEqual(
      expect.objectContaining({ action: 'site:signed_up', subjectId: first.body.memberId }),
    );
  });

  it('makes one member of fifty requests at once', async () => {
    const site = await create({ allowSignup: true });
    const { browser, email } = await somebody();
    const answers = await Promise.all(Array.from({ length: 50 }, () => signUp(browser, site)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(answers.filter(({ body }) => body.status === 'success')).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.memberId)).size).toBe(1);
    expect(await memberCount(email)).toBe(1);
  });

  it('takes nothing that the caller says for who it is', async () => {
    const site = await create({ allowSignup: true });
    const { browser } = await somebody();
    const victim = uniqueEmail();
    const answer = await browser.request('POST', `${placeOf(site)}/signup`, { body: { email: victim } });
    expect([200, 400]).toContain(answer.status);
    expect(await memberCount(victim)).toBe(0);
  });

  it('finds the member that was created with the proved address since', async () => {
    const site = await create({ allowSignup: true });
    const { browser, email } = await somebody();
    const made = await asAdmin('POST', '/members', { email });
    const answer = await signUp(browser, site);
    expect(answer.body).toMatchObject({ status: 'already_member', memberId: made.body.id });
    expect(await memberCount(email)).toBe(1);
  });

  it.each([
    ['a site that is not public', { isPublic: false, allowSignup: true }, 404, 'not_found'],
    ['a site that does not allow it', { allowSignup: false }, 403, 'signup_closed'],
  ])('is refused at %s', async (_, values, status, code) => {
    const site = await create(values);
    const { browser, email } = await somebody();
    expect(await signUp(browser, site)).toMatchObject({ status, body: { code } });
    expect(await memberCount(email)).toBe(0);
  });

  it('gives no role that has become an admin role since the site named it', async () => {
    const role = await addRole(workspace, { permissions: [] });
    const site = await create({ allowSignup: true, signupMemberRoleId: role.id });
    await workspace.within(async (tx) =>
      MemberRoleModel.query(tx)
        .patch({ permissions: ['members:write'] })
        .where({ id: role.id }),
    );
    const { browser, email } = await somebody();
    expect(await signUp(browser, site)).toMatchObject({
      status: 409,
      body: { code: 'signup_role_is_admin' },
    });
    expect(await memberCount(email)).toBe(0);
  });

  it('needs a session: no key is a person, and no page of another origin speaks for one', async () => {
    const site = await create({ allowSignup: true });
    const path = `${placeOf(site)}/signup`;
    expect((await api.request('POST', path)).status).toBe(401);
    const { apiKey } = otherWorkspace.member;
    expect(await api.request('POST', path, { apiKey })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    });
    const { browser } = await somebody();
    const answer = await browser.request('POST', path, { headers: { origin: 'https://www.clinic.example' } });
    expect(answer.status).toBe(403);
    expect((await visitor().request('POST', path)).status).toBe(401);
  });

  it('is refused where the site is of another workspace than the path says', async () => {
    const site = await create({ allowSignup: true });
    const place = await createWorkspace(workspace.database);
    const { browser } = await somebody();
    const answer = await browser.request('POST', `${placeOf(site, place)}/signup`);
    expect(answer.status).toBe(404);
  });
});
