import Type from 'typebox';
import { createMemberRole } from '../../../../domain/people/member-roles/create-member-role.js';
import { deleteMemberRole } from '../../../../domain/people/member-roles/delete-member-role.js';
import { getMemberRole, listMemberRoles } from '../../../../domain/people/member-roles/read-member-roles.js';
import { updateMemberRole } from '../../../../domain/people/member-roles/update-member-role.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { CreateMemberRoleRequest, MemberRoleResponse, UpdateMemberRoleRequest } from './schemas.js';

const readers = workspaceMember({ scope: 'members:read' });
const writers = workspaceMember({ scope: 'roles:write', permission: 'roles:write' });

const list = defineRoute({
  operationId: 'listMemberRoles',
  method: 'GET',
  path: '/w/{workspace_uuid}/member-roles',
  tag: 'Member roles',
  summary: 'List member roles',
  description: 'All roles, in order of creation.',
  access: readers,
  response: { status: 200, schema: Type.Array(MemberRoleResponse) },
  handler: async ({ context }) => listMemberRoles(context),
});

const create = defineRoute({
  operationId: 'createMemberRole',
  audit: ['role:created'],
  method: 'POST',
  path: '/w/{workspace_uuid}/member-roles',
  tag: 'Member roles',
  summary: 'Create a member role',
  description: "A role cannot grant more than the caller's own role has.",
  access: writers,
  body: CreateMemberRoleRequest,
  example: { body: { name: 'Nurse', permissions: ['members:read', 'chats:read'] }, once: true },
  response: { status: 201, schema: MemberRoleResponse },
  handler: async ({ context, body }) => createMemberRole(context, body),
});

const get = defineRoute({
  operationId: 'getMemberRole',
  method: 'GET',
  path: '/w/{workspace_uuid}/member-roles/{member_role_id}',
  tag: 'Member roles',
  summary: 'Get a member role',
  access: readers,
  response: { status: 200, schema: MemberRoleResponse },
  handler: async ({ context, params }) => getMemberRole(context, params.member_role_id),
});

const update = defineRoute({
  operationId: 'updateMemberRole',
  audit: ['role:updated'],
  method: 'PUT',
  path: '/w/{workspace_uuid}/member-roles/{member_role_id}',
  tag: 'Member roles',
  summary: 'Change a member role',
  description: 'Omitted fields keep their values. A change of permissions applies from the next request on.',
  access: writers,
  body: UpdateMemberRoleRequest,
  example: { body: { permissions: ['members:read', 'chats:read', 'chats:write'] } },
  response: { status: 200, schema: MemberRoleResponse },
  errors: { 409: 'No admin would remain, or no role for new members.' },
  handler: async ({ context, params, body }) => updateMemberRole(context, params.member_role_id, body),
});

const remove = defineRoute({
  operationId: 'deleteMemberRole',
  audit: ['role:deleted'],
  method: 'DELETE',
  path: '/w/{workspace_uuid}/member-roles/{member_role_id}',
  tag: 'Member roles',
  summary: 'Delete a member role',
  description:
    'New members get the first role that is not an admin role; if this was it, they get the next one.',
  access: writers,
  example: { params: { member_role_id: demo.memberRoleToDelete }, once: true },
  response: { status: 204 },
  errors: {
    409: 'Members have the role, a workflow is restricted to it, or no role would remain for new members.',
  },
  handler: async ({ context, params }) => deleteMemberRole(context, params.member_role_id),
});

export const memberRoleRoutes = [list, create, get, update, remove];
