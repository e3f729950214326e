import Type from 'typebox';
import {
  attachPagesToAssignment,
  detachPageFromAssignment,
  maxPagesOfAssignment,
} from '../../../../domain/assignments/assignment-pages.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Id } from '../../../http/schemas.js';
import { presentAssignment } from '../assignments/presenter.js';
import { AssignmentResponse } from '../assignments/schemas.js';

const tag = 'Assignments';
const path = '/w/{workspace_uuid}/assignments/{assignment_id}/pages';

const attach = defineRoute({
  operationId: 'attachPagesToAssignment',
  method: 'POST',
  path,
  tag,
  summary: 'Attach pages to an assignment',
  description: `Pages of sites that are published: its member reads them with it, in \`pages\`. What is attached already stays as it is. An assignment has at most ${maxPagesOfAssignment} pages. For the caller's own assignments, or any with the permission assignments:write.`,
  access: workspaceMember({ scope: 'assignments:write' }),
  body: Type.Object({
    pageIds: Type.Array(Id, {
      minItems: 1,
      maxItems: maxPagesOfAssignment,
      uniqueItems: true,
      description: 'Published pages of sites of the workspace',
    }),
  }),
  example: { body: { pageIds: [demo.pageId] } },
  response: { status: 200, schema: AssignmentResponse },
  errors: { 409: 'The assignment has as many pages as allowed (`too_many_pages`).' },
  handler: async ({ context, services, params, body }) =>
    presentAssignment(
      { context, services },
      await attachPagesToAssignment(context, params.assignment_id, body.pageIds),
    ),
});

const detach = defineRoute({
  operationId: 'detachPageFromAssignment',
  method: 'DELETE',
  path: `${path}/{page_id}`,
  tag,
  summary: 'Detach a page from an assignment',
  description:
    "The page itself stays. For the caller's own assignments, or any with the permission assignments:write.",
  access: workspaceMember({ scope: 'assignments:write' }),
  example: { once: true },
  response: { status: 204 },
  handler: async ({ context, params }) =>
    detachPageFromAssignment(context, params.assignment_id, params.page_id),
});

export const assignmentPageRoutes = [attach, detach];
