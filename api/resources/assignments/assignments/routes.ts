import { getAssignment, listAssignments } from '../../../../domain/assignments/assignments.js';
import { countAssignmentsOfWorkflow } from '../../../../domain/assignments/count-assignments.js';
import { countAssignmentOutcomes } from '../../../../domain/assignments/count-outcomes.js';
import { createAssignment } from '../../../../domain/assignments/create-assignment.js';
import { describeCurrentTask, previewCelContext } from '../../../../domain/assignments/inspect-assignment.js';
import { requestCancel } from '../../../../domain/assignments/request-cancel.js';
import { updateAssignment } from '../../../../domain/assignments/update-assignment.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { renewAddresses } from '../../files/bytes-address.js';
import { OutcomesQuery, OutcomesResponse } from './outcome-schemas.js';
import { presentAssignment, presentCelContext, presentCurrentTask } from './presenter.js';
import {
  AssignmentCountsResponse,
  AssignmentPage,
  AssignmentResponse,
  CancelAssignmentRequest,
  CelContextResponse,
  CreateAssignmentRequest,
  ListAssignmentsQuery,
  OperatorTaskDetailResponse,
  UpdateAssignmentRequest,
} from './schemas.js';

const notActive = 'The assignment is not active.';

const assignments = resource({
  tag: 'Assignments',
  path: '/w/{workspace_uuid}/assignments',
  read: workspaceMember({ scope: 'assignments:read' }),
  write: workspaceMember({ scope: 'assignments:write' }),
});

const list = assignments.list({
  operationId: 'listAssignments',
  summary: 'List assignments',
  description:
    "Without the permission assignments:read, the list contains only the caller's own assignments, and filtering by another member is refused. taskId is a task of a workflow revision: the list then contains the assignments whose current task it is.",
  query: ListAssignmentsQuery,
  response: AssignmentPage,
  handler: async ({ context, services, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filter } = query;
    const found = await listAssignments(context, filter, { page, pageSize, sortBy, sortOrder });
    return presentPage(query, found, (one) => presentAssignment({ context, services }, one));
  },
});

const create = assignments.create({
  operationId: 'createAssignment',
  summary: 'Create an assignment',
  description:
    'Creates its chat as well. Needs permission to use the workflow. An assignment for another member, a test, or another revision than the active one needs the permission assignments:write. Without it, a member has at most 50 active assignments that it began, 20 of them of a workflow (409), and begins at most 100 chats and assignments within 24 hours (429 `too_many_chats`).',
  body: CreateAssignmentRequest,
  example: { body: { workflowId: demo.workflowId, memberId: demo.memberId } },
  response: AssignmentResponse,
  errors: {
    409: 'The member has as many active assignments as it may begin for itself without the permission assignments:write (`too_many_assignments`).',
  },
  renew: (input, { files }) => renewAddresses(input, files),
  handler: async ({ context, services, body }) =>
    presentAssignment({ context, services }, await createAssignment(context, body)),
});

const get = assignments.get('/{assignment_id}', {
  operationId: 'getAssignment',
  summary: 'Get an assignment',
  description: "For the caller's own assignments, or any with the permission assignments:read.",
  response: AssignmentResponse,
  handler: async ({ context, services, params }) =>
    presentAssignment({ context, services }, await getAssignment(context, params.assignment_id)),
});

const update = assignments.update('/{assignment_id}', {
  operationId: 'updateAssignment',
  summary: 'Change or end an assignment',
  description:
    "For the caller's own assignments, or any with the permission assignments:write. Changing isTest, outcome, outcomeReason or status always needs that permission.",
  body: UpdateAssignmentRequest,
  example: { body: { outcome: 'reminded', outcomeReason: 'The member has read the reminder.' } },
  response: AssignmentResponse,
  errors: { 409: notActive },
  handler: async ({ context, services, params, body }) =>
    presentAssignment({ context, services }, await updateAssignment(context, params.assignment_id, body)),
});

const cancel = assignments.act('/{assignment_id}/cancel', {
  operationId: 'cancelAssignment',
  summary: 'Cancel an assignment',
  description:
    "For the caller's own assignments, or any with the permission assignments:write. Cancelling a cancelled assignment changes nothing.",
  body: CancelAssignmentRequest,
  example: { params: { assignment_id: demo.assignmentToCancel }, body: { reason: 'The visit was moved.' } },
  response: AssignmentResponse,
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

const celContext = assignments.get('/{assignment_id}/cel-context', {
  operationId: 'getAssignmentCelContext',
  summary: 'Get the variables that task conditions can read',
  description:
    "A snapshot without the member's records. It is informative only: the server evaluates the guards itself. For the caller's own assignments, or any with the permission assignments:read.",
  response: CelContextResponse,
  handler: async ({ context, params }) =>
    presentCelContext(await previewCelContext(context, params.assignment_id)),
});

const currentTaskDetail = assignments.get('/{assignment_id}/current-task-detail', {
  operationId: 'getAssignmentCurrentTaskDetail',
  summary: 'Get the current task of an assignment',
  description: "For the caller's own assignments, or any with the permission assignments:read.",
  admission: 'evaluations',
  response: OperatorTaskDetailResponse,
  handler: async ({ context, params }) =>
    presentCurrentTask(await describeCurrentTask(context, params.assignment_id)),
});

const counts = defineRoute({
  operationId: 'countAssignmentsOfWorkflow',
  method: 'GET',
  path: '/w/{workspace_uuid}/workflows/{workflow_id}/assignments/counts',
  tag: 'Assignments',
  summary: 'Count where the assignments of a workflow are',
  description:
    'For a picture of the workflow: in which tasks active assignments are, and how far the newest have come. Both counts end at a number, so that the cost does not depend on how many assignments there are.',
  access: workspaceMember({ scope: 'assignments:read', permission: 'assignments:read' }),
  response: { status: 200, schema: AssignmentCountsResponse },
  handler: async ({ context, params }) => countAssignmentsOfWorkflow(context, params.workflow_id),
});

const outcomes = assignments.get('/stats/outcomes', {
  operationId: 'countAssignmentOutcomes',
  summary: 'Count what became of assignments, by workflow or task',
  description:
    'Of the assignments that were created in some days, by default the 30 up to today, at most 92. A task is the one that an assignment is in, or was in when it ended, in its revision.',
  access: workspaceMember({ scope: 'assignments:read', permission: 'assignments:read' }),
  admission: 'searches',
  query: OutcomesQuery,
  response: OutcomesResponse,
  handler: async ({ context, query }) => countAssignmentOutcomes(context, query),
});

export const assignmentRoutes = [
  list,
  create,
  get,
  update,
  cancel,
  celContext,
  currentTaskDetail,
  counts,
  outcomes,
];
