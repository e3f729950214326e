import Type from 'typebox';
import { timelineKinds } from '../../../../domain/assignments/timeline/kinds.js';
import { needsResponseReasons } from '../../../../domain/kernel/alert-colleague.js';
import { type AnswerOf, AnyOf, Id, OneOf, Timestamp, Uuid } from '../../../http/schemas.js';
import { OpenAIMessageResponse } from '../../conversations/messages/schemas.js';

const kinds = `What happened:

- \`entered\`: a task was entered; \`fromTask\` is the one before
- \`completed\`: a task is complete; of a wait, \`reason\` says what ended it
- \`not_begun\`: a task could have come next, but its guard or condition, or the guard of a task above it, did not hold
- \`message\`: something was said or, for colleagues, noted; in \`message\`
- \`tool\`: the agent, or a colleague as the assistant, called a tool; \`reason\` says why it was refused
- \`timer_set\`, \`timer_came\`, \`timer_cancelled\`: the time that a wait waits for; cancelled: the wait was left before
- \`follow_up_set\`, \`follow_up_came\`, \`follow_up_cancelled\`: a later turn of the agent
- \`delivery\`: what became of an SMS (\`messageId\`): \`status\` is sent, delivered, failed, tried_again, at \`until\`, or held, for the \`reason\` (quiet_hours), \`until\` that time
- \`refused\`: a person was refused a task
- \`needs_response\`, \`answered\`: a colleague was alerted, for the \`reason\`, or is no longer needed
- \`paused\`, \`resumed\`: a person took the chat from the agent, or returned it
- \`archived\`, \`unarchived\`: the assignment rests, or goes on
- \`concluded\`: the assignment ended, with this \`status\``;

const TimelineTask = Type.Object({
  assignmentTaskId: { ...Id, description: 'The id of the task in the assignment' },
  taskId: { ...Id, description: 'The id of the task in its revision' },
  name: Type.String({ description: 'The name of the task' }),
});

export const TimelineEntryResponse = Type.Object(
  {
    id: Type.String({
      description: 'Identifies the entry in its timeline. Pass the last one that you have as after, to go on',
    }),
    at: { ...Timestamp, description: 'When it happened (ISO 8601, UTC)' },
    kind: OneOf(timelineKinds, { description: kinds }),
    task: Type.Optional({ ...TimelineTask, description: 'The task concerned, or the current one' }),
    fromTask: Type.Optional({ ...TimelineTask, description: 'The task that was left' }),
    by: Type.Optional(
      OneOf(['agent', 'member', 'operator', 'automatic'], {
        description: 'Who caused it; automatic: the workflow or the service. Absent where it is unknown',
      }),
    ),
    actorMemberId: Type.Optional({ ...Id, description: 'The member id of the person who caused it' }),
    message: Type.Optional(OpenAIMessageResponse),
    messageId: Type.Optional({
      ...Uuid,
      description: 'The id of the message that was delivered, or that has the tool call',
    }),
    tool: Type.Optional(
      Type.String({
        description: 'The name of the tool; unknown, if the model named one that does not exist',
      }),
    ),
    status: Type.Optional(Type.String({ description: 'Of a delivery, or of the conclusion' })),
    reason: Type.Optional(Type.String({ description: 'Why, as a code' })),
    rule: Type.Optional(
      OneOf(['cel_guard', 'cel_condition', 'not_offered', 'not_in_tree'], {
        description: 'The rule by which a task was refused or not begun',
      }),
    ),
    ruleTask: Type.Optional(
      Type.Object(
        { taskId: Id, name: Type.String({ description: 'The name of the task' }) },
        { description: 'The task whose guard or condition did not hold: the task itself, or one above it' },
      ),
    ),
    expression: Type.Optional(
      Type.String({
        description: 'The guard or condition that did not hold. Only with the permission workflows:read',
      }),
    ),
    until: Type.Optional({ ...Timestamp, description: 'When the timer, follow-up or next attempt is due' }),
    times: Type.Optional(
      Type.Integer({
        minimum: 2,
        description:
          'How often the refusal was repeated. Refusals of one task by one rule to one person are one entry until another task is entered',
      }),
    ),
    outcome: Type.Optional(Type.String({ description: 'The outcome of the assignment' })),
    outcomeReason: Type.Optional(Type.String({ description: 'The reason of the outcome' })),
  },
  { $id: 'TimelineEntryResponse' },
);
export type TimelineEntryResponse = AnswerOf<typeof TimelineEntryResponse>;

const TimelineNow = Type.Object(
  {
    task: { ...TimelineTask, description: 'The current task' },
    state: Type.String({
      description: 'What the assignment waits for, in words: the state of its current task detail',
    }),
    since: Type.Optional({ ...Timestamp, description: 'When the current task was entered' }),
    until: Type.Optional({
      ...Timestamp,
      description: 'When it goes on by itself at the latest: a wait, a follow-up or a budget of the agent',
    }),
    needsResponse: Type.Boolean({ description: 'Whether a colleague is alerted' }),
    needsResponseReason: Type.Optional(OneOf(needsResponseReasons, { description: 'Why, as in the chat' })),
  },
  {
    $id: 'TimelineNow',
    description:
      'Where the assignment is now. Only with the permission assignments:read, and in answers that begin without after',
  },
);

export const AssignmentTimelineResponse = Type.Object(
  {
    now: Type.Optional(TimelineNow),
    items: Type.Array(TimelineEntryResponse, { description: 'The entries, in the order asked for' }),
    hasMore: Type.Boolean({
      description: 'Whether there are more entries now. If not, ask again later, or follow the chat',
    }),
  },
  { $id: 'AssignmentTimelineResponse' },
);
export type AssignmentTimelineResponse = AnswerOf<typeof AssignmentTimelineResponse>;

export const ReadTimelineQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,10}-[0-9]{1,16}$',
      maxLength: 27,
      description:
        'The id of the last entry that was read: the answer begins with the next one in this order',
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'The most entries in the answer',
  }),
  sortOrder: OneOf(['asc', 'desc'], {
    default: 'asc',
    description: 'asc: the oldest first; desc: the newest',
  }),
  kind: Type.Optional(AnyOf(OneOf(timelineKinds))),
});
