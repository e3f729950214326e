import { getAssignmentTask } from '../../../../domain/assignments/get-assignment-task.js';
import { requestTask } from '../../../../domain/assignments/request-task.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentAssignmentTask } from './presenter.js';
import { AssignmentTaskResponse } from './schemas.js';

const get = defineRoute({
  operationId: 'getAssignmentTask',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/tasks/{assignment_task_id}',
  tag: 'Assignments',
  summary: 'Get a task of an assignment',
  description: "With the tasks below it. One's own assignments, or any with the permission assignments:read.",
  access: workspaceMember({ scope: 'assignments:read' }),
  response: { status: 200, schema: AssignmentTaskResponse },
  handler: async ({ context, params }) =>
    presentAssignmentTask(await getAssignmentTask(context, params.assignment_id, params.assignment_task_id)),
});

const select = defineRoute({
  operationId: 'selectAssignmentTask',
  method: 'PUT',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/tasks/{assignment_task_id}/select',
  tag: 'Assignments',
  summary: 'Take an assignment into a task',
  description:
    "The task's guards decide, whoever asks. One's own assignments, or any with the permission assignments:write, which every task needs that the current one does not offer, in one's own assignments as well. Offered are the children that may be entered and, once the current task is complete, required tasks that were passed over; a handoff offers none until a colleague resumes the chat. What is refused is 400 task_not_allowed, with the task and the expression that failed, or with the tasks that are offered.",
  access: workspaceMember({ scope: 'assignments:write' }),
  response: { status: 200, schema: AssignmentTaskResponse },
  errors: {
    409: 'The assignment is not active.',
    503: 'The run of the assignment cannot be reached; the request may still take effect, once.',
  },
  handler: async ({ context, params, runs }) =>
    presentAssignmentTask(await requestTask(context, runs, params.assignment_id, params.assignment_task_id)),
});

export const taskRoutes = [get, select];
