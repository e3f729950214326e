import Type, { type Static } from 'typebox';
import { maxWarnings } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import { type WarningCode, warningCodes } from '../../../../domain/definitions/revision-rules/findings.js';
import { afterCallValues, taskTypes } from '../../../../domain/definitions/task-tree/task-types.js';
import {
  type StandingEffect,
  standingEffects,
} from '../../../../domain/definitions/workflow-revisions/impact.js';
import { abilityTypes } from '../../../../domain/kernel/abilities.js';
import { RealtimeModelConfig } from '../../../../domain/kernel/ai-models/realtime-model-config.js';
import {
  Id,
  Name,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { CreateDataTypeRequest } from '../../records/data-types/schemas.js';

const Configuration = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 });
const template = (meaning: string) =>
  Type.Optional(
    Nullable(Type.String({ maxLength: 20_000, description: `${meaning}. Text with {{ CEL }} expressions` })),
  );
// Validation allows only much shorter expressions; its error names the task and the position.
const expression = (description: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 10_000, description })));
const RevisionName = Name();

const AbilityInput = Type.Object(
  {
    abilityType: OneOf(abilityTypes),
    config: Type.Optional(Configuration),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the agent has the ability. Default true' })),
    celCondition: expression('CEL: whether the ability is active'),
  },
  { $id: 'AbilityInput' },
);

const taskInput = {
  uuid: Type.Optional(
    Type.String({
      format: 'uuid',
      minLength: 36,
      maxLength: 36,
      description: 'Identifies the task in all revisions',
    }),
  ),
  name: Name(),
  taskType: OneOf(taskTypes),
  prompt: template('Instructions for the agent while the task is current'),
  shortPrompt: template('A short form of the instructions, for lists'),
  choicePrompt: template('When the agent is to choose this task among its siblings'),
  description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  configuration: Type.Optional(Configuration),
  celGuard: expression(
    "CEL: whether the task and the tasks below it may be entered, by any caller. It is an access control only if it reads data that the member cannot write, such as the member's labels, hidden and read-only records and the visited tasks, but not the member's name, locale or other records or the state of the chat.",
  ),
  celCondition: expression(
    'CEL: whether the task may be entered as a child of the current one. It is not evaluated when the task is entered from elsewhere.',
  ),
  afterCall: Type.Optional(
    Nullable(
      OneOf(afterCallValues, {
        description:
          'What follows a call that ends in this task, or in a task below it that says nothing else. text: the agent goes on by the other channel of the chat, where it has one; stand: a colleague is alerted (call_ended), and the agent writes nothing until the member writes, or a colleague writes or selects a task. Null: as the task above says; text for the first one',
      }),
    ),
  ),
  realtimeModelConfig: Type.Optional(
    Nullable({
      ...RealtimeModelConfig,
      description:
        'How the agent listens and speaks in calls that begin in this task or those below it. Each setting counts over that of the tasks above and that of the assistant; those of the participant in the chat count over all. Null: as above',
    }),
  ),
  autoNext: Type.Optional(
    Type.Boolean({
      description:
        'Whether the assignment goes on by itself once the task is complete. The children of a message, collect, wait or handoff are then steps, one after the other; of all other children, one is taken. Default false',
    }),
  ),
  required: Type.Optional(
    Type.Boolean({ description: 'Whether the task is offered again if it was skipped. Default false' }),
  ),
  abilities: Type.Optional(Type.Array(AbilityInput, { maxItems: 50 })),
};

export const WorkflowTaskInput = Type.Cyclic(
  {
    WorkflowTaskInput: Type.Object({
      ...taskInput,
      children: Type.Optional(
        Type.Array(Type.Ref('WorkflowTaskInput'), {
          maxItems: 200,
          description: 'The tasks below this one, in order',
        }),
      ),
    }),
  },
  'WorkflowTaskInput',
);

export const CreateRevisionRequest = Type.Object(
  {
    name: Type.Optional(RevisionName),
    rootTask: Type.Optional(WorkflowTaskInput),
    fromRevisionId: Type.Optional(Id),
  },
  { $id: 'CreateRevisionRequest' },
);

export const UpdateRevisionRequest = Type.Object(
  { name: Type.Optional(RevisionName), rootTask: Type.Optional(WorkflowTaskInput) },
  { $id: 'UpdateRevisionRequest', minProperties: 1 },
);

const workflowFile = {
  name: Name(),
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  dataTypes: Type.Optional(
    Type.Array(CreateDataTypeRequest, {
      maxItems: 200,
      description: 'The data types that the tasks and expressions of the workflow name',
    }),
  ),
};

export const ImportWorkflowRequest = Type.Object(
  { ...workflowFile, rootTask: WorkflowTaskInput },
  { $id: 'ImportWorkflowRequest' },
);

/** Answers may get further fields, and so have schemas of their own. */
const WorkflowFileTask = Type.Cyclic(
  {
    WorkflowFileTask: Type.Object({
      ...taskInput,
      abilities: Type.Optional(Type.Array(Type.Object(AbilityInput.properties), { maxItems: 50 })),
      children: Type.Optional(
        Type.Array(Type.Ref('WorkflowFileTask'), {
          maxItems: 200,
          description: 'The tasks below it, in order',
        }),
      ),
    }),
  },
  'WorkflowFileTask',
);

export const WorkflowFile = Type.Object(
  { ...workflowFile, rootTask: WorkflowFileTask },
  { $id: 'WorkflowFile', description: 'A workflow as a file, for another workspace or for npm run play' },
);
export type WorkflowFile = Static<typeof WorkflowFile>;

export const PublishRevisionRequest = Type.Object(
  {
    activate: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether new chats and assignments use it from now on' }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True: checks the revision and tells what publishing would mean, and changes nothing',
      }),
    ),
  },
  { $id: 'PublishRevisionRequest' },
);

export const AbilityResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    abilityType: Type.String(),
    config: Configuration,
    enabled: Type.Boolean(),
    celCondition: Type.Optional(Type.String()),
  },
  { $id: 'AbilityResponse' },
);

export const WorkflowTaskResponse = Type.Cyclic(
  {
    WorkflowTaskResponse: Picked({
      id: Id,
      uuid: Uuid,
      name: Type.String(),
      taskType: OneOf(taskTypes),
      prompt: Type.Optional(Type.String()),
      shortPrompt: Type.Optional(Type.String()),
      choicePrompt: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      configuration: Configuration,
      celGuard: Type.Optional(Type.String()),
      celCondition: Type.Optional(Type.String()),
      afterCall: Type.Optional(OneOf(afterCallValues)),
      realtimeModelConfig: Type.Optional(RealtimeModelConfig),
      autoNext: Type.Boolean(),
      required: Type.Boolean(),
      order: Type.Integer({ minimum: 0, description: 'Position among its siblings' }),
      abilities: Type.Array(AbilityResponse),
      children: Type.Array(Type.Ref('WorkflowTaskResponse')),
    }),
  },
  'WorkflowTaskResponse',
);

const revision = {
  id: Id,
  uuid: Uuid,
  workflowId: Id,
  number: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  state: OneOf(['draft', 'published']),
  active: Type.Boolean({ description: 'Whether new chats and assignments use it' }),
  publishedAt: Type.Optional(Timestamp),
  publishedByMemberId: Type.Optional(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const RevisionSummaryResponse = Picked(revision, { $id: 'RevisionSummaryResponse' });

export const RevisionResponse = Picked(
  { ...revision, rootTask: Nullable(WorkflowTaskResponse) },
  { $id: 'RevisionResponse' },
);

/** The codes with their meaning, as a list in markdown. */
function listCodes(codes: Readonly<Record<string, string>>): string {
  return Object.entries(codes)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}.`)
    .join('\n');
}

const RevisionWarning = Type.Object(
  {
    code: OneOf(Object.keys(warningCodes) as WarningCode[], {
      description: `What is probably wrong.\n\n${listCodes(warningCodes)}`,
    }),
    task: Type.String({ description: 'The name of the task' }),
    taskUuid: Type.Optional(Uuid),
    field: Type.String({
      description: 'A JSON pointer into the revision',
      examples: ['/rootTask/children/0/autoNext'],
    }),
    message: Type.String({ description: 'The warning in a sentence' }),
  },
  { $id: 'RevisionWarning' },
);

const StandingGroup = Type.Object(
  {
    revisionId: { ...Id, description: 'The revision they run on' },
    revisionNumber: Type.Integer({ minimum: 1, description: 'The number of this revision in its workflow' }),
    taskUuid: Uuid,
    taskName: Type.String({ description: 'The name of their current task' }),
    count: Type.Integer({
      minimum: 1,
      description: 'How many stand there; at least as many, if totalIsExact is false',
    }),
    effect: OneOf(Object.keys(standingEffects) as StandingEffect[], {
      description: `What the revision means for them.\n\n${listCodes(standingEffects)}`,
    }),
    message: Type.String({ description: 'The effect in a sentence' }),
  },
  { $id: 'StandingGroup' },
);

const RevisionImpact = Type.Object(
  {
    newAssignments: Type.Object(
      {
        revisionId: { ...Nullable(Id), description: 'The revision; null: none is active' },
        revisionNumber: {
          ...Nullable(Type.Integer({ minimum: 1 })),
          description: 'The number of this revision in its workflow',
        },
        message: Type.String({ description: 'The same in a sentence' }),
      },
      { description: 'The revision with which new assignments begin; null if none can begin' },
    ),
    total: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'The number of active assignments of the workflow, counted up to 10,000',
    }),
    totalIsExact: Type.Boolean({ description: 'False if there are more than 10,000' }),
    groups: Type.Array(StandingGroup, {
      maxItems: 100,
      description: 'Where these assignments stand, by revision and current task; the largest groups first',
    }),
    isCut: Type.Boolean({
      description: 'True if there are more than 100 groups, and groups has the largest',
    }),
  },
  {
    $id: 'RevisionImpact',
    description: 'What the change means for the active assignments of the workflow, and for new ones',
  },
);

export const PublishedRevisionResponse = Picked(
  {
    ...revision,
    rootTask: Nullable(WorkflowTaskResponse),
    warnings: Type.Array(RevisionWarning, {
      maxItems: maxWarnings,
      description: 'What is probably wrong with the revision, which is published all the same',
    }),
    assignments: RevisionImpact,
  },
  { $id: 'PublishedRevisionResponse' },
);

export const RevisionPage = Page(RevisionSummaryResponse);

export const ListRevisionsQuery = PageQuery(['number', 'createdAt', 'updatedAt'], {}, 'desc');
