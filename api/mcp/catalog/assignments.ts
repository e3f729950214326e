import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { reachesPeople, reads, replaces } from './annotations.js';

/** What other tools tell of an assignment, or only people need. */
const beside = ['files', 'filesAreCut', 'pages', 'rootTask', 'currentTask', 'waits', 'runUrl'];

const list = defineTool({
  name: 'list_assignments',
  title: 'List assignments',
  description:
    'Lists assignments: each is one member walking through one workflow. Narrow it by memberId, workflowId, chatId or status (active, completed, cancelled, failed). Returns a page with status, outcome, the name of the current task and the records that were collected. Next: get_current_task for what an active one waits for.',
  route: routeOf('listAssignments'),
  omit: ['standing'],
  dropped: beside,
  defaults: { pageSize: 10 },
  annotations: reads,
  untrusted: true,
});

const get = defineTool({
  name: 'get_assignment',
  title: 'Get an assignment',
  description:
    'Returns one assignment: status, outcome and its reason, the tree of its tasks with the times at which they were visited and completed, the records that were collected, and its files. The ids of tasks in the tree are what select_task takes. Next: get_current_task, or read_assignment_timeline for how it came there.',
  route: routeOf('getAssignment'),
  scopes: ['task:read'],
  dropped: ['data', 'cdnUrl', 'pages', 'waits', 'runUrl', 'memberName'],
  annotations: reads,
  untrusted: true,
});

const currentTask = defineTool({
  name: 'get_current_task',
  title: 'Get the current task of an assignment',
  description:
    'Returns the task in which an active assignment is: its prompt, what it waits for (state) and until when (dueAt), and childTasks with their assignmentTaskId, guards and conditions. Call it before select_task, to see which tasks can be chosen and when each is right (choicePrompt).',
  route: routeOf('getAssignmentCurrentTaskDetail'),
  scopes: ['task:read'],
  annotations: reads,
  untrusted: true,
});

const timeline = defineTool({
  name: 'read_assignment_timeline',
  title: 'Read what happened in an assignment',
  description:
    'Reads what happened in an assignment in order: tasks that were entered and completed, messages, waits, alerts, the conclusion. Use it to explain why an assignment is where it is. Narrow it by kind; go on with after from the last entry. Next: get_current_task.',
  route: routeOf('readAssignmentTimeline'),
  scopes: ['task:read'],
  annotations: reads,
  untrusted: true,
});

const create = defineTool({
  name: 'create_assignment',
  title: 'Start an assignment',
  description:
    'Starts a workflow for a member, with a chat of its own; without memberId, for the caller. The agent begins at once and may contact the member: ask the person before. isTest true marks it as a test. To choose the channel, use create_chat with the workflowId instead. Returns the assignment. Next: get_current_task.',
  route: routeOf('createAssignment'),
  dropped: [...beside, 'memberName', 'chatId'],
  annotations: reachesPeople,
  untrusted: true,
});

const select = defineTool({
  name: 'select_task',
  title: 'Move an assignment to a task',
  description:
    'Moves an active assignment to a task: assignment_task_id is assignmentTaskId of a child task in get_current_task. Guards are checked; a refusal (task_not_allowed) names the expression that failed, or the tasks that are offered. Choose one of these, or tell the person: do not try the others in turn. Selecting the current task again changes nothing. Returns the task that is current then. Next: get_current_task.',
  route: routeOf('selectAssignmentTask'),
  scopes: ['task:write'],
  annotations: reachesPeople,
  untrusted: true,
});

const cancel = defineTool({
  name: 'cancel_assignment',
  title: 'Cancel an assignment',
  description:
    'Ends an active assignment for good: its agent, timers and messages stop, and it cannot be resumed. Use it only if the person asks for it. reason is kept with the assignment. Cancelling a cancelled assignment changes nothing. Returns the assignment with the status cancelled.',
  route: routeOf('cancelAssignment'),
  dropped: [...beside, 'memberName', 'chatId'],
  annotations: replaces,
  confirmed: 'The assignment ends for good, and cannot be resumed.',
  untrusted: true,
});

export const assignmentTools = [list, get, currentTask, timeline, create, select, cancel];
