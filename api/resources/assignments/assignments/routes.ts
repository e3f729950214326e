import { getAssignment, listAssignments } from '../../../../domain/assignments/assignments.js';
import { createAssignment } from '../../../../domain/assignments/create-assignment.js';
import { describeCurrentTask, previewCelContext } from '../../../../domain/assignments/inspect-assignment.js';
import { requestCancel } from '../../../../domain/assignments/request-cancel.js';
import { updateAssignment } from '../../../../domain/assignments/update-assignment.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { renewAddresses } from '../../files/bytes-address.js';
import { presentAssignment, presentCelContext, presentCurrentTask } from './presenter.js';
import {
  AssignmentPage,
  AssignmentResponse,
  CancelAssignmentRequest,
  CelContextResponse,
  CreateAssignmentRequest,
  ListAssignmentsQuery,
  OperatorTaskDetailResponse,
  UpdateAssignmentRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'assignments:read' });
const writers = workspaceMember({ scope: 'assignments:write' });
const notActive = 'The assignment is not active.';

const list = defineRoute({
  operationId: 'listAssignments',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments',
  tag: 'Assignments',
  summary: 'List assignments',
  description:
    "Without the permission assignments:read, the list contains only the caller's own assignments, and filtering by another member is refused. taskId is a task of a workflow revision: the list then contains the assignments whose current task it is.",
  access: readers,
  query: ListAssignmentsQuery,
  response: { status: 200, schema: AssignmentPage },
  handler: async ({ context, services, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filter } = query;
    const found = await listAssignments(context, filter, { page, pageSize, sortBy, sortOrder });
    return presentPage(query, found, (one) => presentAssignment({ context, services }, one));
  },
});

const create = defineRoute({
  operationId: 'createAssignment',
  method: 'POST',
  path: '/w/{workspace_uuid}/assignments',
  tag: 'Assignments',
  summary: 'Create an assignment',
  description:
    'Creates its chat as well. Needs permission to use the workflow. An assignment for another member, a test, or another revision than the active one needs the permission assignments:write. Without it, a member has at most 50 active assignments that it began, 20 of them of a workflow (409), and begins at most 100 chats and assignments within 24 hours (429 `too_many_chats`).',
  access: writers,
  body: CreateAssignmentRequest,
  example: { body: { workflowId: demo.workflowId, memberId: demo.memberId } },
  response: { status: 201, schema: AssignmentResponse },
  errors: {
    409: 'The member has as many active assignments as it may begin for itself without the permission assignments:write (`too_many_assignments`).',
  },
  renew: (input, { files }) => renewAddresses(input, files),
  handler: async ({ context, services, body }) =>
    presentAssignment({ context, services }, await createAssignment(context, body)),
});

const get = defineRoute({
  operationId: 'getAssignment',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}',
  tag: 'Assignments',
  summary: 'Get an assignment',
  description: "For the caller's own assignments, or any with the permission assignments:read.",
  access: readers,
  response: { status: 200, schema: AssignmentResponse },
  handler: async ({ context, services, params }) =>
    presentAssignment({ context, services }, await getAssignment(context, params.assignment_id)),
});

const update = defineRoute({
  operationId: 'updateAssignment',
  method: 'PUT',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}',
  tag: 'Assignments',
  summary: 'Change or end an assignment',
  description:
    "For the caller's own assignments, or any with the permission assignments:write. Changing isTest, outcome, outcomeReason or status always needs that permission.",
  access: writers,
  body: UpdateAssignmentRequest,
  example: { body: { outcome: 'reminded', outcomeReason: 'The member has read the reminder.' } },
  response: { status: 200, schema: AssignmentResponse },
  errors: { 409: notActive },
  handler: async ({ context, services, params, body }) =>
    presentAssignment({ context, services }, await updateAssignment(context, params.assignment_id, body)),
});

const cancel = defineRoute({
  operationId: 'cancelAssignment',
  method: 'POST',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/cancel',
  tag: 'Assignments',
  summary: 'Cancel an assignment',
  description:
    "For the caller's own assignments, or any with the permission assignments:write. Cancelling a cancelled assignment changes nothing.",
  access: writers,
  body: CancelAssignmentRequest,
  example: { params: { assignment_id: demo.assignmentToCancel }, body: { reason: 'The visit was moved.' } },
  response: { status: 200, schema: AssignmentResponse },
  errors: {
    409: notActive,
    503: 'The run of the assignment cannot be reached; the request may still take effect.',
  },
  handler: async ({ context, services, params, body }) =>
    presentAssignment(
      { context, services },
      await requestCancel(context, services.runs, params.assignment_id, body.reason ?? null),
    ),
});

const celContext = defineRoute({
  operationId: 'getAssignmentCelContext',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/cel-context',
  tag: 'Assignments',
  summary: 'Get the variables that task conditions can read',
  description:
    "A snapshot without the member's records. It is informative only: the server evaluates the guards itself. For the caller's own assignments, or any with the permission assignments:read.",
  access: readers,
  response: { status: 200, schema: CelContextResponse },
  handler: async ({ context, params }) =>
    presentCelContext(await previewCelContext(context, params.assignment_id)),
});

const currentTaskDetail = defineRoute({
  operationId: 'getAssignmentCurrentTaskDetail',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/current-task-detail',
  tag: 'Assignments',
  summary: 'Get the current task of an assignment',
  description: "For the caller's own assignments, or any with the permission assignments:read.",
  access: readers,
  admission: 'evaluations',
  response: { status: 200, schema: OperatorTaskDetailResponse },
  handler: async ({ context, params }) =>
    presentCurrentTask(await describeCurrentTask(context, params.assignment_id)),
});

export const assignmentRoutes = [list, create, get, update, cancel, celContext, currentTaskDetail];
