import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { openBrowser, signInAs, signInSuperuser, type TestBrowser } from '../../../support/api/browser.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const { api, workspace } = useApi();
let place: TestWorkspace;
let superuser: TestBrowser;

beforeAll(async () => {
  superuser = await newSuperuser();
});
beforeEach(async () => {
  place = await createWorkspace(workspace.database);
});

const newSuperuser = async () => (await signInSuperuser(workspace.database, openBrowser(api))).browser;
const lastAdmin = { status: 409, body: { code: 'last_admin' } };
const asAdmin = (...[method, path, body]: [string, string, unknown?]) =>
  callAs(api, place, place.admin)(method, path, body);
const setEnabled = (uuid: string, enabled: boolean, more = {}, browser = superuser) =>
  browser.request('PUT', `/accounts/${uuid}`, { body: { enabled, ...more } });
const admins = async (...of: TestWorkspace['admin'][]) => {
  const answers = await Promise.all(of.map((one) => callAs(api, place, one)('GET', '/members')));
  return answers.filter(({ body }) => body.total > 1).length;
};

describe('a support member with an admin role', () => {
  let support: { memberId: number; roleId: number };

  beforeEach(async () => {
    const { body } = await superuser.request('PUT', place.path('/support-access'), {
      body: { reason: 'Request 4711' },
    });
    const roles = (await asAdmin('GET', '/member-roles')).body;
    const role = roles.find(({ name }: { name: string }) => name === 'Service support');
    support = { memberId: body.memberId, roleId: role.id };
  });

  it('does not count as a remaining admin when the last admin leaves, is demoted or its role is reduced', async () => {
    const admin = `/members/${place.admin.memberId}`;

    const answers = [
      await asAdmin('DELETE', admin),
      await asAdmin('PUT', admin, { memberRoleId: place.roles.member.id }),
      await asAdmin('PUT', `/member-roles/${place.roles.admin.id}`, { permissions: ['members:read'] }),
      await superuser.request('DELETE', place.path(admin)),
      await superuser.request('PUT', place.path(admin), { body: { memberRoleId: place.roles.member.id } }),
    ];

    for (const answer of answers) expect(answer).toMatchObject(lastAdmin);
    expect(await admins(place.admin)).toBe(1);
  });

  it('does not count as a remaining admin under another or a renamed role', async () => {
    const admin = `/members/${place.admin.memberId}`;
    await asAdmin('PUT', `/member-roles/${support.roleId}`, { name: 'Helpers' });
    expect(await asAdmin('DELETE', admin)).toMatchObject(lastAdmin);

    const path = `/members/${support.memberId}`;
    expect(await asAdmin('PUT', path, { memberRoleId: place.roles.admin.id })).toMatchObject({ status: 200 });
    expect(await asAdmin('DELETE', admin)).toMatchObject(lastAdmin);
    expect(await asAdmin('DELETE', path)).toMatchObject({ status: 204 });
  });

  it('does not count as an admin, while colleagues with its role do', async () => {
    const colleague = await addMember(place, { role: place.roles.member });
    await asAdmin('PUT', `/members/${colleague.memberId}`, { memberRoleId: support.roleId });
    expect((await asAdmin('DELETE', `/members/${place.admin.memberId}`)).status).toBe(204);
  });
});

describe('disabling the account of the last admin', () => {
  it('returns 409 without naming the workspace, and changes nothing', async () => {
    const answer = await setEnabled(place.admin.accountUuid, false);
    expect(answer).toMatchObject(lastAdmin);
    expect(answer.body.detail).toBe('The account is the last admin of a workspace.');
    expect(JSON.stringify(answer.body)).not.toContain(place.workspaceUuid);
    expect((await asAdmin('GET', '/members')).status).toBe(200);
  });

  it('reports the number of workspaces after checking all of them', async () => {
    const { accountId, accountUuid } = place.admin;
    const second = await createWorkspace(workspace.database);
    const there = await addMember(second, { role: second.roles.admin });
    const { memberships } = workspace.database.identity;
    await memberships.remove(second.workspaceId, there.memberId);
    await memberships.add({ workspaceId: second.workspaceId, memberId: there.memberId, accountId });
    const detail = async () => (await setEnabled(accountUuid, false)).body.detail;
    expect(await detail()).toBe('The account is the last admin of a workspace.');

    await callAs(api, second, { apiKey: place.admin.apiKey })('DELETE', `/members/${second.admin.memberId}`);

    expect(await detail()).toBe('The account is the last admin of 2 workspaces.');
  });

  it('keeps the sessions of the account', async () => {
    const browser = await signInAs(workspace.database, place.admin.accountId, openBrowser(api));
    expect(await setEnabled(place.admin.accountUuid, false)).toMatchObject(lastAdmin);
    expect((await browser.request('GET', place.path(''))).status).toBe(200);
  });

  it('is allowed if another admin can sign in or the account is not an admin', async () => {
    const other = await addMember(place, { role: place.roles.admin });
    const plain = await addMember(place, { role: place.roles.member });

    expect((await setEnabled(plain.accountUuid, false)).status).toBe(200);
    expect((await setEnabled(other.accountUuid, false)).status).toBe(200);
    expect(await setEnabled(place.admin.accountUuid, false)).toMatchObject(lastAdmin);
    expect((await setEnabled(other.accountUuid, true)).status).toBe(200);
    expect((await setEnabled(place.admin.accountUuid, false)).status).toBe(200);
  });

  it('is allowed with leaveWithoutAdmin', async () => {
    const answer = await setEnabled(place.admin.accountUuid, false, { leaveWithoutAdmin: true });
    expect(answer).toMatchObject({ status: 200, body: { enabled: false } });
    expect((await asAdmin('GET', '/members')).status).toBe(401);
  });

  it('does not count admins that could not sign in before: disabled ones and ones that never signed in', async () => {
    const { accounts } = workspace.database.identity;
    const invited = await addMember(place, { role: place.roles.admin });
    await accounts.update(invited.accountId, { email: null, standsAlone: true });
    await setEnabled(place.admin.accountUuid, false, { leaveWithoutAdmin: true });
    expect((await setEnabled(place.admin.accountUuid, false)).status).toBe(200);
    expect((await setEnabled(invited.accountUuid, false)).status).toBe(200);
  });

  it('keeps one of two admins when both are disabled, or one is demoted, concurrently', async () => {
    const second = await newSuperuser();
    for (let round = 0; round < 5; round += 1) {
      const own = await createWorkspace(workspace.database);
      const other = await addMember(own, { role: own.roles.admin, scopes: allScopes });
      const demotion = { apiKey: other.apiKey, body: { memberRoleId: own.roles.member.id } };

      const answers = await Promise.all(
        round % 2 === 0
          ? [setEnabled(own.admin.accountUuid, false), setEnabled(other.accountUuid, false, {}, second)]
          : [
              setEnabled(own.admin.accountUuid, false),
              api.request('PUT', own.path(`/members/${other.memberId}`), demotion),
            ],
      );

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });
});
