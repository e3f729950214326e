import Type, { type TSchema } from 'typebox';
import { E164 } from '../../lib/schema-parts.js';
import { awaitedEvents } from '../task-tree/awaited-events.js';
import type { TaskType } from '../task-tree/task-types.js';

const strict = { additionalProperties: false };
const nothing = (description: string) => Type.Object({}, { ...strict, description });
const slug = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 63, description, examples: [example] });
const template = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 20_000,
    description: `${description}. A template: text with {{ CEL }} expressions`,
    examples: [example],
  });
const shortText = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 500, description, examples: [example] }));

/** The schema of `configuration` by task type, which the reference shows as it is. */
export const configurationSchemas: Record<TaskType, TSchema> = {
  conversation: nothing(
    'The agent talks with the member, by the prompt of the task, until one of its children is selected or an ability ends it.',
  ),
  collect: Type.Object(
    {
      dataTypeSlug: slug('The data type whose record of the member is filled in', 'intake'),
      fieldSlugs: Type.Array(slug('The slug of a field of the data type', 'full_name'), {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description:
          'The fields to ask for. The task is complete when each that the data type requires has a value; if it requires none of them, when all have one',
      }),
      atMost: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description:
            'The time limit: an ISO 8601 duration. When it comes first, the task is completed and its name is in `tasks.timed_out`. By default the agent waits for the member without end',
          examples: ['P7D'],
        }),
      ),
    },
    {
      ...strict,
      description:
        'The agent asks the member for values and saves them in a data record. Fields that have a value are not asked for again.',
    },
  ),
  message: Type.Object(
    { text: template('The text to send', 'Thank you, {{ member.name }}.') },
    { ...strict, description: 'Sends a text to the member as it stands, without the model.' },
  ),
  // Publishing requires exactly one of the four; a draft may still have none.
  wait: Type.Object(
    {
      for: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description:
            "How long to wait: an ISO 8601 duration. Days, weeks, months and years follow the member's calendar",
          examples: ['PT30M', 'P2D'],
        }),
      ),
      until: Type.Optional(
        template('The moment to wait for: an ISO 8601 date, or date and time', '2030-01-31T09:00:00Z'),
      ),
      condition: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description:
            'The CEL condition to wait for. One that holds already ends the wait at once. It cannot read `now`: `until` waits for a time',
          examples: ['member.form_data.intake.full_name != ""', '"approved" in member.labels'],
        }),
      ),
      event: Type.Optional(
        Type.Enum(Object.keys(awaitedEvents), {
          description:
            'The event to wait for, of the member of the assignment or in its chat (`chat:replied`: the member writes). Only events after the entry of the task count',
          examples: ['data_record:changed'],
        }),
      ),
      atMost: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description:
            'The time limit of `condition` or `event`: an ISO 8601 duration. When it comes first, the task is completed and its name is in `tasks.timed_out`',
          examples: ['P3D'],
        }),
      ),
      unlessReply: Type.Optional(
        Type.Boolean({ description: 'True: a message of the member ends the wait. Default false' }),
      ),
    },
    {
      ...strict,
      description:
        'Waits for a time to pass or to come, for a condition or for an event. Give exactly one of `for`, `until`, `condition` and `event`.',
    },
  ),
  decision: Type.Object(
    {
      otherwise: Type.Optional(
        Type.Enum(['next'], {
          description:
            '`next`: while no child may be entered, the assignment goes on behind the decision. By default the assignment stands, a colleague is alerted (`no_choice_holds`), and the decision is tried again when the data of the member change',
          examples: ['next'],
        }),
      ),
      repeat: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'The name of an earlier task that is entered again, up to `atMost` times in an assignment. Only then, or while the guards of that task do not hold, does the decision look at its children',
          examples: ['Question'],
        }),
      ),
      atMost: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'How often it goes back. Required with `repeat`',
          examples: [3],
        }),
      ),
    },
    {
      ...strict,
      description:
        'Enters the first of its children whose condition holds; the others are not entered. It says nothing.',
    },
  ),
  call: Type.Object(
    {
      phoneNumber: Type.Optional(
        E164(
          'The number of the workspace that calls; by default that of the chat, else of the workflow, else the only one of the workspace that has calls',
          '+15550100100',
        ),
      ),
      attempts: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 5,
          description: 'How often the member is called until it answers. Default 1',
        }),
      ),
      retryAfter: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description:
            "The time between two attempts: an ISO 8601 duration, at least a minute. Days and longer follow the member's calendar. Default PT1H",
          examples: ['PT2H'],
        }),
      ),
      voicemail: Type.Optional(
        template(
          'What is said to a machine that answers, after its greeting; without it, the call is hung up',
          'This is the clinic. We will call again tomorrow.',
        ),
      ),
    },
    {
      ...strict,
      description:
        'Calls the member, and the agent talks by the prompt of the task until one of its children is selected. The task is complete when the call has ended in it: after it, conditions see in `call` what became of it. If the member is on the phone already, that call goes on.',
    },
  ),
  handoff: Type.Object(
    {
      reason: shortText('Why a person is needed, for the people who answer', 'Severe pain'),
      message: Type.Optional(template('The text that the member gets', 'A colleague will write to you.')),
    },
    {
      ...strict,
      description: 'Hands the chat over to a person: the agent pauses, and the chat needs a response.',
    },
  ),
  conclude: Type.Object(
    {
      outcome: shortText('The outcome of the assignment, for programs', 'intake_complete'),
      outcomeReason: shortText(
        'The outcome in words. A template: text with {{ CEL }} expressions',
        'Everything for the first visit is known.',
      ),
    },
    { ...strict, description: 'Ends the assignment.' },
  ),
};

/** Keys of `configuration` that hold a template. */
export const configurationTemplates: Partial<Record<TaskType, readonly string[]>> = {
  message: ['text'],
  call: ['voicemail'],
  wait: ['until'],
  handoff: ['message'],
  conclude: ['outcomeReason'],
};

/** Keys of `configuration` that hold a condition. */
export const configurationConditions: Partial<Record<TaskType, readonly string[]>> = { wait: ['condition'] };
