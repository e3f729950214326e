import { createMemberLabel } from '../../../../domain/people/member-labels/create-member-label.js';
import { deleteMemberLabel } from '../../../../domain/people/member-labels/delete-member-label.js';
import { getMemberLabel } from '../../../../domain/people/member-labels/get-member-label.js';
import { listMemberLabels } from '../../../../domain/people/member-labels/list-member-labels.js';
import { updateMemberLabel } from '../../../../domain/people/member-labels/update-member-label.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { presentMemberLabel } from './presenter.js';
import {
  CreateMemberLabelRequest,
  ListMemberLabelsQuery,
  MemberLabelPage,
  MemberLabelResponse,
  UpdateMemberLabelRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'members:read' });
const writers = workspaceMember({ scope: 'roles:write', permission: 'roles:write' });

const list = defineRoute({
  operationId: 'listMemberLabels',
  method: 'GET',
  path: '/w/{workspace_uuid}/member-labels',
  tag: 'Member labels',
  summary: 'List member labels',
  access: readers,
  query: ListMemberLabelsQuery,
  response: { status: 200, schema: MemberLabelPage },
  handler: async ({ context, query }) =>
    presentPage(query, await listMemberLabels(context, query), presentMemberLabel),
});

const create = defineRoute({
  operationId: 'createMemberLabel',
  method: 'POST',
  path: '/w/{workspace_uuid}/member-labels',
  tag: 'Member labels',
  summary: 'Create a member label',
  description: 'To assign labels to a member, set labelIds in Create a member or Change a member.',
  access: writers,
  body: CreateMemberLabelRequest,
  response: { status: 201, schema: MemberLabelResponse },
  handler: async ({ context, body }) => presentMemberLabel(await createMemberLabel(context, body)),
});

const get = defineRoute({
  operationId: 'getMemberLabel',
  method: 'GET',
  path: '/w/{workspace_uuid}/member-labels/{member_label_id}',
  tag: 'Member labels',
  summary: 'Get a member label',
  access: readers,
  response: { status: 200, schema: MemberLabelResponse },
  handler: async ({ context, params }) =>
    presentMemberLabel(await getMemberLabel(context, params.member_label_id)),
});

const update = defineRoute({
  operationId: 'updateMemberLabel',
  method: 'PUT',
  path: '/w/{workspace_uuid}/member-labels/{member_label_id}',
  tag: 'Member labels',
  summary: 'Change a member label',
  description: 'The change applies to all members with the label.',
  access: writers,
  body: UpdateMemberLabelRequest,
  response: { status: 200, schema: MemberLabelResponse },
  handler: async ({ context, params, body }) =>
    presentMemberLabel(await updateMemberLabel(context, params.member_label_id, body)),
});

const remove = defineRoute({
  operationId: 'deleteMemberLabel',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/member-labels/{member_label_id}',
  tag: 'Member labels',
  summary: 'Delete a member label',
  description: 'The label is removed from all members.',
  access: writers,
  response: { status: 204 },
  handler: async ({ context, params }) => deleteMemberLabel(context, params.member_label_id),
});

export const memberLabelRoutes = [list, create, get, update, remove];
