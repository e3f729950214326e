import { getAssignmentTask } from '../../../../domain/assignments/assignments.js';
import { requestTask } from '../../../../domain/assignments/request-task.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { AssignmentTaskResponse } from './schemas.js';

const get = defineRoute({
  operationId: 'getAssignmentTask',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/tasks/{assignment_task_id}',
  tag: 'Assignments',
  summary: 'Get a task of an assignment',
  description:
    "Includes the tasks below it. For the caller's own assignments, or any with the permission assignments:read.",
  access: workspaceMember({ scope: 'assignments:read' }),
  response: { status: 200, schema: AssignmentTaskResponse },
  handler: async ({ context, params }) =>
    getAssignmentTask(context, params.assignment_id, params.assignment_task_id),
});

const select = defineRoute({
  operationId: 'selectAssignmentTask',
  method: 'PUT',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/tasks/{assignment_task_id}/select',
  tag: 'Assignments',
  summary: 'Move an assignment to a task',
  description:
    "Returns the task that is current then: the selected one, or the one to which the assignment has gone on from it by itself. The task's guards apply to every caller. For the caller's own assignments, or any with the permission assignments:write. A task that the current one does not offer needs the permission assignments:write, in the caller's own assignments as well. Offered tasks are the children that may be entered and, once the current task is complete, required tasks that were skipped; a handoff offers none until a colleague resumes the chat. A refusal is 400 task_not_allowed, and names the task and the expression that failed, or the offered tasks.",
  access: workspaceMember({ scope: 'assignments:write' }),
  response: { status: 200, schema: AssignmentTaskResponse },
  errors: {
    409: 'The assignment is not active, or its workflow is held (`workflow_held`).',
    503: 'The run of the assignment cannot be reached; the request may still take effect, but only once.',
  },
  handler: async ({ context, services: { runs }, params }) =>
    requestTask(context, runs, params.assignment_id, params.assignment_task_id),
});

export const taskRoutes = [get, select];
