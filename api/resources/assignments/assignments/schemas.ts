import Type from 'typebox';
import { taskTypes } from '../../../../domain/definitions/task-tree/task-types.js';
import {
  type AnswerOf,
  createdBetween,
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { AbilityResponse } from '../../definitions/workflow-revisions/schemas.js';
import { FileResponse } from '../../files/files/schemas.js';
import { DataRecordResponse } from '../../records/data-records/schemas.js';
import { PageResponse } from '../../sites/pages/schemas.js';
import { AssignmentTaskResponse } from '../assignment-tasks/schemas.js';

const statuses = ['active', 'completed', 'cancelled', 'failed'] as const;

const AssignmentWaits = Type.Object(
  {
    taskType: Type.Optional(Type.String({ description: 'Type of the current task' })),
    since: Type.Optional({ ...Timestamp, description: 'When it was entered' }),
    until: Type.Optional({ ...Timestamp, description: 'When its wait ends at the latest' }),
    standingReason: Type.Optional(Type.String({ description: 'Why nothing can move it on, as a code' })),
    paused: Type.Boolean({ description: 'Whether a person has the chat' }),
    archived: Type.Boolean({ description: 'Whether it rests with its chat' }),
  },
  { description: 'What it waits for while it is active. Only with the permission assignments:read' },
);

export const AssignmentResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    memberId: Id,
    memberName: Type.Optional(
      Type.String({ description: 'Name of the member; of others with the permission members:read' }),
    ),
    chatId: { ...Id, description: 'The chat in which it takes place' },
    createdAt: Timestamp,
    updatedAt: Timestamp,
    isTest: Type.Boolean(),
    files: Type.Array(FileResponse, {
      description:
        'Files attached to it that the caller may read, the latest 50 first; empty for credentials without the scope files:read',
    }),
    filesAreCut: Type.Optional(
      Type.Boolean({
        description: 'True if there are more files: List the files of an assignment has them all',
      }),
    ),
    workflowId: Id,
    taskId: Type.Optional(Id),
    taskName: Type.Optional(Type.String()),
    status: OneOf(statuses),
    waits: Type.Optional(AssignmentWaits),
    runUrl: Type.Optional(
      Type.String({
        description: 'Its run in the Temporal UI, if known. Only with the permission workspace:write',
      }),
    ),
    outcome: Type.Optional(Type.String()),
    outcomeReason: Type.Optional(Type.String()),
    concludedAt: Type.Optional(Timestamp),
    rootTask: Type.Optional(AssignmentTaskResponse),
    currentTask: Type.Optional(AssignmentTaskResponse),
    dataRecords: Type.Array(DataRecordResponse, { description: 'Written for the tasks of the assignment' }),
    dataRecordsAreCut: Type.Optional(
      Type.Boolean({
        description:
          'True if there are more records than fit into an answer (2 MiB); the newest are included',
      }),
    ),
    pages: Type.Array(PageResponse, {
      description:
        'Pages of sites that were attached to it, as visitors read them, in their primary locale; those that are not published are left out',
    }),
    pagesAreCut: Type.Optional(
      Type.Boolean({ description: 'True if there are more pages than fit into an answer (512 KiB)' }),
    ),
    workflowName: Type.String(),
    workflowUuid: Uuid,
    workflowRevisionId: Id,
    workflowRevisionUuid: Uuid,
    workflowRevisionNumber: Type.Integer({ minimum: 1 }),
    workflowRevisionName: Type.String(),
  },
  { $id: 'AssignmentResponse' },
);
export type AssignmentResponse = AnswerOf<typeof AssignmentResponse>;

export const AssignmentPage = Page(AssignmentResponse);

export const ListAssignmentsQuery = PageQuery(
  ['createdAt', 'updatedAt', 'concludedAt', 'status'],
  {
    mine: Type.Optional(Type.Boolean({ description: "Only the caller's own assignments" })),
    taskId: Type.Optional(Id),
    memberId: Type.Optional(Id),
    workflowId: Type.Optional(Id),
    chatId: Type.Optional(Id),
    isTest: Type.Optional(Type.Boolean()),
    status: Type.Optional(OneOf(statuses)),
    standing: Type.Optional(
      Type.Boolean({
        description: 'Whether nothing can move it while it is active, for colleagues',
      }),
    ),
    ...createdBetween,
  },
  'desc',
);

export const CreateAssignmentRequest = Type.Object(
  {
    workflowId: Id,
    memberId: Type.Optional(Id),
    workflowRevisionId: Type.Optional(Id),
    isTest: Type.Optional(
      Type.Boolean({ description: 'Whether it is a test; true needs the permission assignments:write' }),
    ),
  },
  { description: 'The member defaults to the caller, and the revision to the active one.' },
);

const text = (maxLength: number) => Type.Optional(Nullable(Type.String({ minLength: 1, maxLength })));

export const UpdateAssignmentRequest = Type.Object(
  {
    isTest: Type.Optional(
      Type.Boolean({ description: 'Whether it is a test. Needs the permission assignments:write' }),
    ),
    outcome: text(500),
    outcomeReason: text(2_000),
    status: Type.Optional(OneOf(['completed', 'failed'], { description: 'Ends the assignment' })),
  },
  { description: 'Omitted fields keep their values; null clears a field.' },
);

export const CancelAssignmentRequest = Type.Object({ reason: text(2_000) });

const open = Type.Record(Type.String(), Type.Unknown());

export const CelContextResponse = Type.Object(
  {
    member: Type.Object({
      id: Id,
      name: Nullable(Type.String()),
      locale: Nullable(Type.String()),
      labels: Type.Array(Type.String(), { description: "Slugs of the member's labels" }),
      form_data: Type.Object({}, { description: 'Always empty here' }),
      data: Type.Object({}, { description: 'Always empty here' }),
    }),
    assignment: open,
    chat: open,
    tasks: Picked({
      visited: Type.Array(Type.String()),
      completed: Type.Array(Type.String()),
      timed_out: Type.Array(Type.String(), {
        description: 'Names of waits and collects whose time limit came before what they waited for',
      }),
      current: Nullable(Type.String()),
    }),
    call: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The latest call of the chat; its fields are null before the first one',
    }),
    now: Timestamp,
  },
  { $id: 'CelContextResponse' },
);
export type CelContextResponse = AnswerOf<typeof CelContextResponse>;

const optionalText = Type.Optional(Type.String());

export const OperatorChildTaskDetail = Picked(
  {
    assignmentTaskId: Id,
    taskId: Id,
    taskName: Type.String(),
    taskUuid: Uuid,
    taskType: OneOf(taskTypes),
    shortPrompt: optionalText,
    choicePrompt: optionalText,
    celGuard: optionalText,
    celCondition: optionalText,
    autoNext: Type.Boolean(),
    required: Type.Boolean(),
    order: Type.Integer({ minimum: 0 }),
    visitedAt: Type.Optional(Timestamp),
    notOffered: Type.Optional(
      Type.Object(
        {
          rule: OneOf(['cel_guard', 'cel_condition'], { description: 'Which expression does not hold' }),
          taskName: Type.String({ description: 'The task whose expression it is: this one or one above it' }),
        },
        { description: 'Why the task may not be entered now; absent: it may' },
      ),
    ),
  },
  { $id: 'OperatorChildTaskDetail' },
);

export const OperatorTaskDetailResponse = Type.Object(
  {
    assignmentId: Id,
    assignmentTaskId: Id,
    taskId: Id,
    taskName: Type.String(),
    taskType: OneOf(taskTypes),
    prompt: optionalText,
    renderedPrompt: optionalText,
    shortPrompt: optionalText,
    description: optionalText,
    configuration: open,
    celGuard: optionalText,
    abilities: Type.Array(AbilityResponse),
    inheritedAbilities: Type.Array(AbilityResponse),
    childTasks: Type.Array(OperatorChildTaskDetail),
    parentAssignmentTaskId: Type.Optional(Id),
    parentTaskName: optionalText,
    parentShortPrompt: optionalText,
    state: Type.String({ description: 'What the assignment waits for, in words' }),
    dueAt: Type.Optional({ ...Timestamp, description: 'When a wait ends at the latest' }),
  },
  { $id: 'OperatorTaskDetailResponse' },
);
export type OperatorTaskDetailResponse = AnswerOf<typeof OperatorTaskDetailResponse>;

export const AssignmentCountsResponse = Type.Object(
  {
    active: Type.Integer({ description: 'The number of active assignments, counted up to 10,000' }),
    activeIsExact: Type.Boolean({ description: 'False if there are more: the oldest 10,000 are counted' }),
    newest: Type.Integer({
      description: 'How many assignments, active or not, `visited` was counted in: the newest, up to 1,000',
    }),
    tasks: Type.Array(
      Type.Object({
        revisionId: { ...Id, description: 'The revision of the task' },
        revisionNumber: Type.Integer({
          minimum: 1,
          description: 'The number of this revision in its workflow',
        }),
        taskId: { ...Id, description: 'The id of the task in its revision' },
        taskUuid: Uuid,
        taskName: Type.String({ description: 'The name of the task' }),
        current: Type.Integer({ description: 'In how many active assignments it is the current task' }),
        visited: Type.Integer({ description: 'How many of the newest assignments have entered it' }),
      }),
      { description: 'The tasks that have a count, by revision, the newest first' },
    ),
  },
  { $id: 'AssignmentCountsResponse' },
);
