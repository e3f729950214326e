import { createMember } from '../../../../domain/people/members/create-member.js';
import { deleteMember, leaveWorkspace } from '../../../../domain/people/members/delete-member.js';
import { labelMembers } from '../../../../domain/people/members/label-members.js';
import { getMember, getOwnMember, listMembers } from '../../../../domain/people/members/read-members.js';
import { setMemberEnabled } from '../../../../domain/people/members/set-member-enabled.js';
import { updateMember } from '../../../../domain/people/members/update-member.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { memberFilter } from './filter.js';
import {
  CreateMemberRequest,
  LabelledMembersResponse,
  LabelMembersRequest,
  ListMembersQuery,
  OwnMemberResponse,
  UpdateMemberRequest,
  WorkspaceMemberPage,
  WorkspaceMemberResponse,
} from './schemas.js';
import { exportRoutes, importRoute } from './transfer-routes.js';

const members = resource({
  tag: 'Members',
  path: '/w/{workspace_uuid}/members',
  read: workspaceMember({ scope: 'members:read' }),
  write: workspaceMember({ scope: 'members:write', permission: 'members:write' }),
});

const list = members.list({
  operationId: 'listMembers',
  summary: 'List members',
  description: "Without the permission members:read, the list contains only the caller's own member.",
  query: ListMembersQuery,
  response: WorkspaceMemberPage,
  handler: async ({ context, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filters } = query;
    const request = { page, pageSize, sortBy, sortOrder };
    return presentPage(query, await listMembers(context, memberFilter(filters), request));
  },
});

const create = members.create({
  operationId: 'createMember',
  audit: ['member:role_changed'],
  summary: 'Create a member',
  description: 'Email, phone and externalId are each unique in the workspace.',
  body: CreateMemberRequest,
  example: {
    body: { name: 'Juno Sample', dateOfBirth: '1990-03-12', locale: 'en-US', labelIds: [demo.memberLabelId] },
  },
  response: WorkspaceMemberResponse,
  handler: async ({ context, body }) => createMember(context, body),
});

const get = members.get('/{member_id}', {
  operationId: 'getMember',
  summary: 'Get a member',
  description: "For the caller's own member, or any with the permission members:read.",
  response: WorkspaceMemberResponse,
  handler: async ({ context, params }) => getMember(context, params.member_id),
});

const getOwn = members.get('/me', {
  operationId: 'getOwnMember',
  summary: "Get the caller's own member",
  description: 'In `member`, beside the role and the permissions that role and credential grant together.',
  response: OwnMemberResponse,
  handler: async ({ context }) => getOwnMember(context),
});

const leave = members.remove('/me', {
  operationId: 'leaveWorkspace',
  summary: 'Leave the workspace',
  description:
    'Needs a session: API keys are refused (403 `session_required`). The member is deleted; its history remains.',
  access: workspaceMember({ scope: 'members:write' }),
  errors: { 409: 'No admin would remain (`last_admin`).' },
  handler: async ({ context }) => leaveWorkspace(context),
});

const label = members.act('/label', {
  operationId: 'labelMembers',
  audit: { not: 'labels give no access by themselves' },
  summary: 'Label many members',
  description:
    'Gives labels to members and takes others from them; their other labels stay. Members that the caller may not change, and unknown ones, are named in `failed`, and the others are changed.',
  body: LabelMembersRequest,
  example: { body: { memberIds: [demo.memberId], labelIds: [demo.memberLabelId] } },
  response: LabelledMembersResponse,
  handler: async ({ context, body }) => labelMembers(context, body),
});

const stateErrors = {
  409: "No admin would remain (`last_admin`), or the member is an assistant (`member_is_assistant`) or the caller's own (`own_member`).",
};

const disable = members.act('/{member_id}/disable', {
  operationId: 'disableMember',
  audit: ['member:disabled'],
  summary: 'Disable a member',
  description:
    'A disabled member is refused with every credential (403 `member_disabled`), but keeps its role, chats and history. Its chats rest until it is enabled: the agent is silent, timers wait and nothing is sent. Repeating the call changes nothing.',
  example: { params: { member_id: demo.memberToDisable } },
  response: WorkspaceMemberResponse,
  errors: stateErrors,
  handler: async ({ context, params }) => setMemberEnabled(context, params.member_id, false),
});

const enable = members.act('/{member_id}/enable', {
  operationId: 'enableMember',
  audit: ['member:enabled'],
  summary: 'Enable a member',
  description: 'Repeating the call changes nothing.',
  example: { params: { member_id: demo.memberToDisable } },
  response: WorkspaceMemberResponse,
  errors: stateErrors,
  handler: async ({ context, params }) => setMemberEnabled(context, params.member_id, true),
});

const update = members.update('/{member_id}', {
  operationId: 'updateMember',
  audit: ['member:role_changed'],
  summary: 'Change a member',
  description:
    "For the caller's own member, or any with the permission members:write. Changing role, labels, external id, email or phone always needs that permission.",
  access: workspaceMember({ scope: 'members:write' }),
  body: UpdateMemberRequest,
  example: { body: { description: 'Prefers mornings', labelIds: [demo.memberLabelId] } },
  response: WorkspaceMemberResponse,
  errors: { 409: 'No admin would remain.' },
  handler: async ({ context, params, body }) => updateMember(context, params.member_id, body),
});

const remove = members.remove('/{member_id}', {
  operationId: 'deleteMember',
  audit: ['member:deleted'],
  summary: 'Delete a member',
  description: 'Its history remains readable; email, phone and externalId can be used again.',
  example: { params: { member_id: demo.memberToDelete }, once: true },
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
  label,
  disable,
  enable,
  importRoute,
  ...exportRoutes,
];
