import { readTimeline } from '../../../../domain/assignments/timeline/read-timeline.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentTimeline } from './presenter.js';
import { AssignmentTimelineResponse, ReadTimelineQuery } from './schemas.js';

const read = defineRoute({
  operationId: 'readAssignmentTimeline',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/timeline',
  tag: 'Assignments',
  summary: 'Read what happened in an assignment',
  description: `For the caller's own assignments, or any with the permission assignments:read. Without that permission, notes and the
kinds \`not_begun\`, \`tool\`, \`follow_up_set\`, \`follow_up_came\`, \`follow_up_cancelled\`, \`needs_response\` and \`answered\` are
left out, and so is \`now\`.

\`now\` says where the assignment is and what it waits for: the last entries may be messages that explain nothing.

Entries are in the order in which they were stored, and none is added before one that was read: a reader that goes on with
\`after\` misses nothing while the timeline grows. An answer is cut at 2 MiB of messages. New entries are also told live, as
\`timeline.added\` events of the chat.

What happened under releases before this one is shorter: tasks that were entered, messages and the conclusion.`,
  access: workspaceMember({ scope: 'assignments:read' }),
  query: ReadTimelineQuery,
  response: { status: 200, schema: AssignmentTimelineResponse },
  handler: async ({ context, params, query }) => {
    const { kind: kinds, sortOrder: order, ...wanted } = query;
    const given = { ...wanted, order, ...(kinds === undefined ? {} : { kinds }) };
    return presentTimeline(await readTimeline(context, params.assignment_id, given));
  },
});

export const timelineRoutes = [read];
