import { createMember } from '../../../../domain/people/members/create-member.js';
import { deleteMember, leaveWorkspace } from '../../../../domain/people/members/delete-member.js';
import { getMember, getOwnMember, listMembers } from '../../../../domain/people/members/read-members.js';
import { setMemberEnabled } from '../../../../domain/people/members/set-member-enabled.js';
import { updateMember } from '../../../../domain/people/members/update-member.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { memberFilter } from './filter.js';
import {
  CreateMemberRequest,
  ListMembersQuery,
  OwnMemberResponse,
  UpdateMemberRequest,
  WorkspaceMemberPage,
  WorkspaceMemberResponse,
} from './schemas.js';
import { exportRoutes, importRoute } from './transfer-routes.js';

const readers = workspaceMember({ scope: 'members:read' });
const managers = workspaceMember({ scope: 'members:write', permission: 'members:write' });

const list = defineRoute({
  operationId: 'listMembers',
  method: 'GET',
  path: '/w/{workspace_uuid}/members',
  tag: 'Members',
  summary: 'List members',
  description: "Without the permission members:read, the list contains only the caller's own member.",
  access: readers,
  query: ListMembersQuery,
  response: { status: 200, schema: WorkspaceMemberPage },
  handler: async ({ context, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filters } = query;
    const request = { page, pageSize, sortBy, sortOrder };
    return presentPage(query, await listMembers(context, memberFilter(filters), request));
  },
});

const create = defineRoute({
  operationId: 'createMember',
  audit: ['member:role_changed'],
  method: 'POST',
  path: '/w/{workspace_uuid}/members',
  tag: 'Members',
  summary: 'Create a member',
  description: 'Email, phone and externalId are each unique in the workspace.',
  access: managers,
  body: CreateMemberRequest,
  example: {
    body: { name: 'Juno Sample', dateOfBirth: '1990-03-12', locale: 'en-US', labelIds: [demo.memberLabelId] },
  },
  response: { status: 201, schema: WorkspaceMemberResponse },
  handler: async ({ context, body }) => createMember(context, body),
});

const get = defineRoute({
  operationId: 'getMember',
  method: 'GET',
  path: '/w/{workspace_uuid}/members/{member_id}',
  tag: 'Members',
  summary: 'Get a member',
  description: "For the caller's own member, or any with the permission members:read.",
  access: readers,
  response: { status: 200, schema: WorkspaceMemberResponse },
  handler: async ({ context, params }) => getMember(context, params.member_id),
});

const getOwn = defineRoute({
  operationId: 'getOwnMember',
  method: 'GET',
  path: '/w/{workspace_uuid}/members/me',
  tag: 'Members',
  summary: "Get the caller's own member",
  description: 'In `member`, beside the role and the permissions that role and credential grant together.',
  access: readers,
  response: { status: 200, schema: OwnMemberResponse },
  handler: async ({ context }) => getOwnMember(context),
});

const leave = defineRoute({
  operationId: 'leaveWorkspace',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/members/me',
  tag: 'Members',
  summary: 'Leave the workspace',
  description:
    'Needs a session: API keys are refused (403 `session_required`). The member is deleted; its history remains.',
  access: workspaceMember({ scope: 'members:write' }),
  response: { status: 204 },
  errors: { 409: 'No admin would remain (`last_admin`).' },
  handler: async ({ context }) => leaveWorkspace(context),
});

const stateErrors = {
  409: "No admin would remain (`last_admin`), or the member is an assistant (`member_is_assistant`) or the caller's own (`own_member`).",
};

const disable = defineRoute({
  operationId: 'disableMember',
  audit: ['member:disabled'],
  method: 'POST',
  path: '/w/{workspace_uuid}/members/{member_id}/disable',
  tag: 'Members',
  summary: 'Disable a member',
  description:
    'A disabled member is refused with every credential (403 `member_disabled`), but keeps its role, chats and history. Its chats rest until it is enabled: the agent is silent, timers wait and nothing is sent. Repeating the call changes nothing.',
  access: managers,
  example: { params: { member_id: demo.memberToDisable } },
  response: { status: 200, schema: WorkspaceMemberResponse },
  errors: stateErrors,
  handler: async ({ context, params }) => setMemberEnabled(context, params.member_id, false),
});

const enable = defineRoute({
  operationId: 'enableMember',
  audit: ['member:enabled'],
  method: 'POST',
  path: '/w/{workspace_uuid}/members/{member_id}/enable',
  tag: 'Members',
  summary: 'Enable a member',
  description: 'Repeating the call changes nothing.',
  access: managers,
  example: { params: { member_id: demo.memberToDisable } },
  response: { status: 200, schema: WorkspaceMemberResponse },
  errors: stateErrors,
  handler: async ({ context, params }) => setMemberEnabled(context, params.member_id, true),
});

const update = defineRoute({
  operationId: 'updateMember',
  audit: ['member:role_changed'],
  method: 'PUT',
  path: '/w/{workspace_uuid}/members/{member_id}',
  tag: 'Members',
  summary: 'Change a member',
  description:
    "For the caller's own member, or any with the permission members:write. Changing role, labels, external id, email or phone always needs that permission.",
  access: workspaceMember({ scope: 'members:write' }),
  body: UpdateMemberRequest,
  example: { body: { description: 'Prefers mornings', labelIds: [demo.memberLabelId] } },
  response: { status: 200, schema: WorkspaceMemberResponse },
  errors: { 409: 'No admin would remain.' },
  handler: async ({ context, params, body }) => updateMember(context, params.member_id, body),
});

const remove = defineRoute({
  operationId: 'deleteMember',
  audit: ['member:deleted'],
  method: 'DELETE',
  path: '/w/{workspace_uuid}/members/{member_id}',
  tag: 'Members',
  summary: 'Delete a member',
  description: 'Its history remains readable; email, phone and externalId can be used again.',
  access: managers,
  example: { params: { member_id: demo.memberToDelete }, once: true },
  response: { status: 204 },
  errors: { 409: 'No admin would remain, or the member is an assistant.' },
  handler: async ({ context, params }) => deleteMember(context, params.member_id),
});

export const memberRoutes = [
  list,
  create,
  getOwn,
  leave,
  get,
  update,
  remove,
  disable,
  enable,
  importRoute,
  ...exportRoutes,
];
