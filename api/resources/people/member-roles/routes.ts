import Type from 'typebox';
import { createMemberRole } from '../../../../domain/people/member-roles/create-member-role.js';
import { deleteMemberRole } from '../../../../domain/people/member-roles/delete-member-role.js';
import { getMemberRole, listMemberRoles } from '../../../../domain/people/member-roles/read-member-roles.js';
import { updateMemberRole } from '../../../../domain/people/member-roles/update-member-role.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { CreateMemberRoleRequest, MemberRoleResponse, UpdateMemberRoleRequest } from './schemas.js';

const memberRoles = resource({
  tag: 'Member roles',
  path: '/w/{workspace_uuid}/member-roles',
  read: workspaceMember({ scope: 'members:read' }),
  write: workspaceMember({ scope: 'roles:write', permission: 'roles:write' }),
});

const list = memberRoles.list({
  operationId: 'listMemberRoles',
  summary: 'List member roles',
  description: 'All roles, in order of creation.',
  response: Type.Array(MemberRoleResponse),
  handler: async ({ context }) => listMemberRoles(context),
});

const create = memberRoles.create({
  operationId: 'createMemberRole',
  audit: ['role:created'],
  summary: 'Create a member role',
  description: "A role cannot grant more than the caller's own role has.",
  body: CreateMemberRoleRequest,
  example: { body: { name: 'Nurse', permissions: ['members:read', 'chats:read'] }, once: true },
  response: MemberRoleResponse,
  handler: async ({ context, body }) => createMemberRole(context, body),
});

const get = memberRoles.get('/{member_role_id}', {
  operationId: 'getMemberRole',
  summary: 'Get a member role',
  response: MemberRoleResponse,
  handler: async ({ context, params }) => getMemberRole(context, params.member_role_id),
});

const update = memberRoles.update('/{member_role_id}', {
  operationId: 'updateMemberRole',
  audit: ['role:updated'],
  summary: 'Change a member role',
  description: 'Omitted fields keep their values. A change of permissions applies from the next request on.',
  body: UpdateMemberRoleRequest,
  example: { body: { permissions: ['members:read', 'chats:read', 'chats:write'] } },
  response: MemberRoleResponse,
  errors: { 409: 'No admin would remain, or no role for new members.' },
  handler: async ({ context, params, body }) => updateMemberRole(context, params.member_role_id, body),
});

const remove = memberRoles.remove('/{member_role_id}', {
  operationId: 'deleteMemberRole',
  audit: ['role:deleted'],
  summary: 'Delete a member role',
  description:
    'New members get the first role that is not an admin role; if this was it, they get the next one.',
  example: { params: { member_role_id: demo.memberRoleToDelete }, once: true },
  errors: {
    409: 'Members have the role, a workflow is restricted to it, or no role would remain for new members.',
  },
  handler: async ({ context, params }) => deleteMemberRole(context, params.member_role_id),
});

export const memberRoleRoutes = [list, create, get, update, remove];
