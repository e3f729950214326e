import { beforeAll, describe, expect, it } from 'vitest';
import type { MemberRoleRow } from '../../../../db/people/member-roles.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addApiKey,
  addMember,
  addMemberRow,
  addRole,
  createWorkspace,
  randomTag,
} from '../../../support/workspace/factories.js';

const { api, workspace: place, as, asAdmin } = useApi();

const roleNow = async (id: number) => (await asAdmin('GET', `/member-roles/${id}`)).body;
const forbidden = { status: 403, body: { code: 'forbidden' } };

it.each([
  'CHATS_READ',
  'chats:read ',
  'Chats:read',
  'chats',
  'chats:*',
  '*',
  'toString',
  '__proto__',
  'constructor',
  'data:read:',
  'data:read:Notes',
  'data:read:no space',
  'data:admin:notes',
  'data:read:notes:more',
  `data:read:${'x'.repeat(64)}`,
])('refuses a role with the invalid permission %s', async (permission) => {
  const create = await asAdmin('POST', '/member-roles', { name: randomTag(), permissions: [permission] });
  const update = await asAdmin('PUT', `/member-roles/${place.roles.member.id}`, {
    permissions: [permission],
  });

  for (const answer of [create, update]) {
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/permissions/0']]);
  }
});

it('refuses a role with a permission for a data type of another workspace', async () => {
  const other = await createWorkspace(place.database);
  const slug = `type-${randomTag()}`;
  await createDataType(other.context(), { name: 'Theirs', slug, isCollection: true, fields: [] });
  const body = { name: randomTag(), permissions: [`data:write:${slug}`] };
  expect(pointersOf((await asAdmin('POST', '/member-roles', body)).body)).toEqual(['/permissions/0']);
});

describe('a role manager that is not an admin', () => {
  let manager: ReturnType<typeof callAs>;
  let managerRole: MemberRoleRow;
  let managerMemberId: number;
  let higher: MemberRoleRow;

  beforeAll(async () => {
    managerRole = await addRole(place, { permissions: ['roles:write', 'members:write', 'members:read'] });
    const member = await addMember(place, { role: managerRole, scopes: allScopes });
    managerMemberId = member.memberId;
    manager = as(member);
    higher = await addRole(place, { permissions: ['members:read', 'records:admin'] });
  });

  it.each([
    ['raises the own role', () => managerRole.id, { permissions: [...allScopes] }],
    ['raises the own role by one', () => managerRole.id, { permissions: ['roles:write', 'records:admin'] }],
    ['gives the own role the admin area', () => managerRole.id, { useAdmin: true }],
    ['gives the own role the workspace', () => managerRole.id, { manageWorkspace: true }],
    ['renames a higher role', () => higher.id, { name: 'Lower' }],
    ['cuts a higher role down', () => higher.id, { permissions: [] }],
    ['changes nothing of a higher role', () => higher.id, {}],
    ['takes the flags of the admin role', () => place.roles.admin.id, { useAdmin: false }],
    ['raises the role of everyone else', () => place.roles.member.id, { permissions: ['records:admin'] }],
  ])('never %s', async (_what, id, body) => {
    const before = await roleNow(id());
    expect(await manager('PUT', `/member-roles/${id()}`, body)).toMatchObject(forbidden);
    expect(await roleNow(id())).toEqual(before);
  });

  it('cannot delete a higher role, even an unused one', async () => {
    expect(await manager('DELETE', `/member-roles/${higher.id}`)).toMatchObject(forbidden);
  });

  it('cannot assign a higher role, and cannot change or delete its holders', async () => {
    const holder = await addMemberRow(place, { memberRoleId: higher.id });
    const plain = await addMemberRow(place, { memberRoleId: place.roles.member.id });
    const { id: memberRoleId } = higher;

    for (const answer of [
      await manager('POST', '/members', { name: 'A', memberRoleId }),
      await manager('PUT', `/members/${plain.id}`, { memberRoleId }),
      await manager('PUT', `/members/${managerMemberId}`, { memberRoleId }),
      await manager('PUT', `/members/${holder.id}`, { memberRoleId: place.roles.member.id }),
      await manager('PUT', `/members/${holder.id}`, { name: 'A' }),
      await manager('DELETE', `/members/${holder.id}`),
    ]) {
      expect(answer).toMatchObject(forbidden);
      expect(answer.body.detail).toContain('records:admin');
    }
  });

  it('can assign its own permissions to others and to new roles', async () => {
    const role = await manager('POST', '/member-roles', { name: randomTag(), permissions: ['members:read'] });
    expect(role.status).toBe(201);
    const { id: memberRoleId } = role.body;
    const made = await manager('POST', '/members', { name: 'A', memberRoleId });
    expect(made.status).toBe(201);
    expect((await manager('PUT', `/members/${made.body.id}`, { name: 'B' })).status).toBe(200);
  });
});

it('is limited by the scopes of its key, even as an admin', async () => {
  const scopes = ['roles:write', 'members:write', 'members:read', 'workspace:write'] as const;
  const apiKey = await addApiKey(place.database, place.admin.accountId, { scopes });
  const asKey = as({ apiKey });
  const higher = await addRole(place, { permissions: ['records:admin'] });
  const holder = await addMemberRow(place, { memberRoleId: higher.id });

  for (const answer of [
    await asKey('POST', '/member-roles', { name: randomTag(), permissions: ['records:admin'] }),
    await asKey('PUT', `/member-roles/${higher.id}`, { name: 'Lower' }),
    await asKey('DELETE', `/member-roles/${higher.id}`),
    await asKey('POST', '/members', { name: 'A', memberRoleId: higher.id }),
    await asKey('PUT', `/members/${place.member.memberId}`, { memberRoleId: place.roles.admin.id }),
    await asKey('PUT', `/members/${holder.id}`, { name: 'A' }),
    await asKey('DELETE', `/members/${holder.id}`),
  ]) {
    expect(answer).toMatchObject(forbidden);
  }
  const plain = await addMemberRow(place, { memberRoleId: place.roles.member.id });
  expect((await asKey('PUT', `/members/${plain.id}`, { name: 'A' })).status).toBe(200);
  // The admin flags need only those two scopes, which the key has.
  const flagged = { name: randomTag(), permissions: ['roles:write'], useAdmin: true, manageWorkspace: true };
  expect((await asKey('POST', '/member-roles', flagged)).status).toBe(201);
});

describe('the default role of new members', () => {
  it('is the next non-admin role after the first is deleted', async () => {
    const own = await createWorkspace(place.database);
    const asOwn = callAs(api, own, own.admin);
    await addRole(own, { permissions: ['workspace:write'] });
    const next = await addRole(own, { permissions: ['chats:read'] });
    await asOwn('PUT', `/members/${own.member.memberId}`, { memberRoleId: next.id });

    expect((await asOwn('DELETE', `/member-roles/${own.roles.member.id}`)).status).toBe(204);

    expect((await asOwn('POST', '/members', { name: 'A' })).body.memberRoleId).toBe(next.id);
  });

  it('cannot be deleted or made an admin role while there is no other', async () => {
    const own = await createWorkspace(place.database);
    const asOwn = callAs(api, own, own.admin);
    const path = `/member-roles/${own.roles.member.id}`;
    await asOwn('PUT', `/members/${own.member.memberId}`, { memberRoleId: own.roles.admin.id });

    for (const answer of [
      await asOwn('DELETE', path),
      await asOwn('PUT', path, { permissions: ['workspace:write'] }),
      await asOwn('PUT', path, { useAdmin: true }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_member_role' } });
    }
    expect((await asOwn('PUT', path, { name: 'Guest', permissions: ['chats:read'] })).status).toBe(200);
    expect((await asOwn('POST', '/members', { name: 'A' })).body.memberRoleName).toBe('Guest');
  });

  it('survives concurrent deletions of the last two', async () => {
    const own = await createWorkspace(place.database);
    const asOwn = callAs(api, own, own.admin);
    const other = await addRole(own);
    await asOwn('PUT', `/members/${own.member.memberId}`, { memberRoleId: own.roles.admin.id });

    const answers = await Promise.all(
      [own.roles.member.id, other.id].map((id) => asOwn('DELETE', `/member-roles/${id}`)),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });
});

it('gives one API key the rights of its account’s member in each workspace', async () => {
  const second = await createWorkspace(place.database);
  const here = await addMember(place, { role: place.roles.admin, scopes: allScopes });
  const row = await addMemberRow(second, { memberRoleId: second.roles.member.id });
  await place.database.identity.memberships.add({
    workspaceId: second.workspaceId,
    memberId: row.id,
    accountId: here.accountId,
  });
  const asHere = as(here);
  const asThere = callAs(api, second, here);
  const reading = await addRole(second, { permissions: ['members:read'] });
  const statuses = async (as: typeof asHere) => [
    (await as('POST', '/members', { name: 'A' })).status,
    (await as('GET', '/members')).body.total > 1,
    (await as('POST', '/member-labels', { name: `L ${randomTag()}` })).status,
  ];

  expect(await statuses(asHere)).toEqual([201, true, 201]);
  expect(await statuses(asThere)).toEqual([403, false, 403]);

  await callAs(api, second, second.admin)('PUT', `/members/${row.id}`, { memberRoleId: reading.id });
  expect(await statuses(asThere)).toEqual([403, true, 403]);

  await callAs(api, second, second.admin)('DELETE', `/members/${row.id}`);
  expect((await asThere('GET', '/members')).status).toBe(404);
  expect(await statuses(asHere)).toEqual([201, true, 201]);
});
