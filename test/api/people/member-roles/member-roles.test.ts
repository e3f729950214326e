import { describe, expect, it } from 'vitest';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { describeAccess } from '../../../support/api/access-cases.js';
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

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();

const uniqueName = () => `Role ${randomTag()}`;

describeAccess({ api, workspace, otherWorkspace }, ['list', 'create', 'get', 'update', 'delete'], () => {
  const one = `/member-roles/${workspace.roles.member.id}`;
  const body = { name: uniqueName(), permissions: [] };
  return [
    { method: 'GET', path: '/member-roles', scope: 'members:read', needsPermission: false, namesItem: false },
    {
      method: 'POST',
      path: '/member-roles',
      scope: 'roles:write',
      needsPermission: true,
      body,
      namesItem: false,
    },
    { method: 'GET', path: one, scope: 'members:read', needsPermission: false, namesItem: true },
    { method: 'PUT', path: one, scope: 'roles:write', needsPermission: true, body, namesItem: true },
    { method: 'DELETE', path: one, scope: 'roles:write', needsPermission: true, namesItem: true },
  ];
});

describe('listing member roles', () => {
  it('returns a plain array in creation order to every member', async () => {
    const place = await createWorkspace(workspace.database);

    const answer = await callAs(api, place, place.member)('GET', '/member-roles');

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        id: place.roles.admin.id,
        name: 'Admin',
        useAdmin: true,
        manageWorkspace: true,
        permissions: place.roles.admin.permissions,
      },
      { id: place.roles.member.id, name: 'Member', useAdmin: false, manageWorkspace: false, permissions: [] },
    ]);
  });
});

describe('creating a member role', () => {
  it('accepts service permissions and permissions of existing data types, without duplicates', async () => {
    const slug = `type-${randomTag()}`;
    await createDataType(workspace.context(), { name: 'Visits', slug, isCollection: true, fields: [] });
    const name = uniqueName();
    const permissions = ['chats:read', `data:read:${slug}`, 'chats:read'];

    const answer = await asAdmin('POST', '/member-roles', { name, permissions });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name,
      useAdmin: false,
      manageWorkspace: false,
      permissions: ['chats:read', `data:read:${slug}`],
    });
    expect((await asAdmin('GET', `/member-roles/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it.each([
    ['no name', { permissions: [] }, ['/name']],
    ['a blank name', { name: '  ', permissions: [] }, ['/name']],
    ['no permissions', { name: 'Nurses' }, ['/permissions']],
    [
      'permissions that do not exist',
      { name: 'Nurses', permissions: ['chats:read', 'chats:rule', 'x'] },
      ['/permissions/1', '/permissions/2'],
    ],
    [
      'a data type that does not exist',
      { name: 'Nurses', permissions: ['data:read:nowhere'] },
      ['/permissions/0'],
    ],
    ['an unknown field', { name: 'Nurses', permissions: [], colour: 'red' }, ['/colour']],
  ])('refuses %s', async (_, body, pointers) => {
    const answer = await asAdmin('POST', '/member-roles', body);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(pointers);
  });

  it('refuses a taken name and points at the field', async () => {
    const answer = await asAdmin('POST', '/member-roles', { name: 'Admin', permissions: [] });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'duplicate', errors: [{ pointer: '/name' }] },
    });
  });

  it('gives a name to one of twenty concurrent requests', async () => {
    const body = { name: uniqueName(), permissions: [] };

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => asAdmin('POST', '/member-roles', body)),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 201) expect([status, pointersOf(body)]).toEqual([400, ['/name']]);
  });

  const grantsAbove = [
    ['a permission', { permissions: ['records:admin'] }, 'records:admin'],
    ['a permission for one data type', { permissions: ['data:write:notes'] }, 'data:write:notes'],
    ['the admin area', { permissions: [], useAdmin: true }, 'useAdmin'],
    ['managing the workspace', { permissions: [], manageWorkspace: true }, 'manageWorkspace'],
  ] as const;
  async function placeWithNotes() {
    const place = await createWorkspace(workspace.database);
    await createDataType(place.context(), { name: 'Notes', slug: 'notes', isCollection: true, fields: [] });
    return place;
  }

  it.each(grantsAbove)('rejects %s that the editor lacks', async (_, grants, missing) => {
    const place = await placeWithNotes();
    const editor = await addMember(place, { permissions: ['roles:write', 'data:read'] });
    const answer = await callAs(api, place, editor)('POST', '/member-roles', { name: 'Nurses', ...grants });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(answer.body.detail).toContain(missing);
  });

  it.each(grantsAbove)('rejects %s that the scopes of an admin’s key lack', async (_, grants, missing) => {
    const place = await placeWithNotes();
    const scopes = ['roles:write', 'chats:read'] as const;
    const apiKey = await addApiKey(place.database, place.admin.accountId, { scopes });
    const asKey = callAs(api, place, { apiKey });
    const { id } = await addRole(place);

    const answers = [
      await asKey('POST', '/member-roles', { name: 'Nurses', ...grants }),
      await asKey('PUT', `/member-roles/${id}`, grants),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.body.detail).toContain(missing);
    }
    expect((await asKey('PUT', `/member-roles/${id}`, { permissions: ['chats:read'] })).status).toBe(200);
  });

  it('allows an editor with data:read to grant reading of one data type', async () => {
    const place = await placeWithNotes();
    const editor = await addMember(place, { permissions: ['roles:write', 'data:read'] });
    const body = { name: 'Nurses', permissions: ['data:read:notes'] };
    const answer = await callAs(api, place, editor)('POST', '/member-roles', body);
    expect(answer).toMatchObject({ status: 201, body });
  });
});

describe('changing a member role', () => {
  it('changes the given fields, and affects its members from their next request', async () => {
    const role = await addRole(workspace);
    const member = await addMember(workspace, { role });
    const asMember = as(member);
    expect((await asMember('GET', `/members/${workspace.admin.memberId}`)).status).toBe(403);

    const answer = await asAdmin('PUT', `/member-roles/${role.id}`, { permissions: ['members:read'] });

    expect(answer).toMatchObject({ status: 200, body: { name: role.name, permissions: ['members:read'] } });
    expect((await asMember('GET', `/members/${workspace.admin.memberId}`)).status).toBe(200);
  });

  it('refuses a taken name and invalid permissions', async () => {
    const role = await addRole(workspace);
    const path = `/member-roles/${role.id}`;
    expect(pointersOf((await asAdmin('PUT', path, { name: 'Member' })).body)).toEqual(['/name']);
    expect(pointersOf((await asAdmin('PUT', path, { permissions: ['x'] })).body)).toEqual(['/permissions/0']);
  });

  it('returns 404 for an unknown id', async () => {
    expect((await asAdmin('PUT', '/member-roles/999999999', { name: 'Nurses' })).status).toBe(404);
    expect((await asAdmin('GET', '/member-roles/99999999999999999999')).status).toBe(404);
  });
});

describe('deleting a member role', () => {
  it('removes an unused role', async () => {
    const role = await addRole(workspace);
    expect((await asAdmin('DELETE', `/member-roles/${role.id}`)).status).toBe(204);
    expect((await asAdmin('GET', `/member-roles/${role.id}`)).status).toBe(404);
  });

  it('returns 409 while members have the role, and succeeds once they are deleted', async () => {
    const role = await addRole(workspace);
    const member = await addMemberRow(workspace, { memberRoleId: role.id });
    const refused = await asAdmin('DELETE', `/member-roles/${role.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'role_in_use' } });
    await asAdmin('DELETE', `/members/${member.id}`);
    expect((await asAdmin('DELETE', `/member-roles/${role.id}`)).status).toBe(204);
  });

  it('returns 409 while a workflow is restricted to the role, because it would become open to all', async () => {
    const role = await addRole(workspace);
    await createWorkflowDefinition(workspace.context(), { name: 'Intake', roleIds: [role.id] });
    const answer = await asAdmin('DELETE', `/member-roles/${role.id}`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'role_in_use' } });
  });
});
