import Type, { type Static } from 'typebox';
import { Name, OneOf } from '../lib/schema-parts.js';
import { simulatedCallOutcomes } from './scripted-phone.js';

export const maxSteps = 200;
export const maxTextLength = 10_000;
/** The most calls of tools in one answer of the agent. */
export const maxCalls = 16;
export const maxToolName = 64;

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: maxTextLength });
const Slug = Type.String({ minLength: 1, maxLength: 63 });
const Values = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 });

const AgentAnswer = Type.Object(
  {
    say: Type.Optional(Type.String({ maxLength: maxTextLength, description: 'The text of its reply' })),
    select: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The name of the task that it goes on to' }),
    ),
    calls: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ minLength: 1, maxLength: maxToolName }), arguments: Type.Optional(Values) },
          closed,
        ),
        { minItems: 1, maxItems: maxCalls, description: 'Tools that it calls, such as save_data, in order' },
      ),
    ),
  },
  {
    ...closed,
    minProperties: 1,
    description:
      'The agent answers in place of the model: it selects, calls tools, and then says its text. Only while an answer of the agent is due',
  },
);

const memberData = {
  labels: Type.Optional(
    Type.Array(Slug, { maxItems: 50, uniqueItems: true, description: 'Slugs of labels that it has' }),
  ),
  records: Type.Optional(
    Type.Record(Type.String({ maxLength: 63 }), Type.Array(Values, { minItems: 1, maxItems: 20 }), {
      maxProperties: 50,
      description: 'Records, oldest first, by the slug of their data type: field values by slug',
    }),
  ),
};

/** One act of a script: exactly one of these fields. */
export const ScriptStep = Type.Object(
  {
    member: Type.Optional(Type.String({ ...Text, description: 'The member writes this text' })),
    agent: Type.Optional(AgentAnswer),
    operator: Type.Optional(
      Type.String({ ...Text, description: 'A colleague writes this text to the member' }),
    ),
    select: Type.Optional(
      Type.Object(
        {
          task: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the task' }),
          by: Type.Optional(
            OneOf(['operator', 'member'], { description: 'Who selects it. Default: operator' }),
          ),
        },
        { ...closed, description: 'A person selects a task' },
      ),
    ),
    decide: Type.Optional(
      OneOf(['approve', 'reject'], {
        description: 'A colleague decides about a tool call that waits for approval',
      }),
    ),
    pause: Type.Optional(Type.Literal(true, { description: 'A colleague pauses the agent' })),
    resume: Type.Optional(Type.Literal(true, { description: 'A colleague returns the chat to the agent' })),
    change: Type.Optional(
      Type.Object(memberData, {
        ...closed,
        minProperties: 1,
        description:
          'A colleague or another system changes the member: `labels` replaces all labels; `records` writes into the record of the member, or adds one to a collection',
      }),
    ),
    cancel: Type.Optional(
      Type.Object(
        { reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) },
        { ...closed, description: 'A colleague cancels the assignment' },
      ),
    ),
    clock: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description:
          'Time passes: `next`, to the next timer; a duration (ISO 8601, such as P1D); or a time (ISO 8601). Timers on the way fire in order',
      }),
    ),
    carrier: Type.Optional(
      Type.Object(
        {
          outcome: OneOf(['delivered', 'failed']),
          errorCode: Type.Optional(
            Type.String({ pattern: '^\\d{5}$', maxLength: 5, description: 'Of the carrier, such as 30003' }),
          ),
        },
        {
          ...closed,
          description:
            'What becomes of SMS from here on; delivered by default. At the beginning of a script it holds for the first message as well',
        },
      ),
    ),
    phone: Type.Optional(
      Type.Object(
        { outcome: OneOf(simulatedCallOutcomes) },
        {
          ...closed,
          description:
            'What becomes of the calls that tasks place from here on; answered by default: the walk goes on as in a chat. At the beginning of a script it holds for the first call as well',
        },
      ),
    ),
  },
  {
    ...closed,
    $id: 'SimulationStep',
    minProperties: 1,
    maxProperties: 1,
    description: 'One act: exactly one of these fields',
  },
);
export type ScriptStep = Static<typeof ScriptStep>;

/** The name of a member that is given none. */
export const nameOfMember = 'Robin Sample';

export const SimulatedMember = Type.Object(
  {
    name: Type.Optional({ ...Name(), description: `The name. Default: ${nameOfMember}` }),
    locale: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 35,
        description: 'Language and region as a tag, for example en-US',
      }),
    ),
    ...memberData,
  },
  { ...closed, description: 'The member that walks, who exists in this simulation only' },
);
export type SimulatedMember = Static<typeof SimulatedMember>;

const ServiceAnswer = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599, description: 'Default: 200' })),
    body: Type.Optional(Type.Unknown({ description: 'JSON' })),
  },
  { ...closed, description: 'The answer of a web service that is not called' },
);
export type ServiceAnswer = Static<typeof ServiceAnswer>;

export const simulatedChannels = ['web-chat', 'phone-sms'] as const;

export const SimulationInput = Type.Object(
  {
    channel: Type.Optional(
      OneOf(simulatedChannels, {
        default: 'web-chat',
        description: 'How the member and the organisation write to each other. Default: web-chat',
      }),
    ),
    startsAt: Type.Optional(
      Type.String({ format: 'date-time', maxLength: 40, description: 'When the walk begins. Default: now' }),
    ),
    timezone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: "The member's. Default: the workspace's" }),
    ),
    isTest: Type.Optional(Type.Boolean({ description: 'Whether the assignment is a test. Default: false' })),
    member: Type.Optional(SimulatedMember),
    services: Type.Optional(
      Type.Record(Type.String({ maxLength: 40 }), ServiceAnswer, {
        maxProperties: 50,
        description:
          'What web services answer, by the name of the tool that asks them. Default: 200 without a body',
      }),
    ),
    script: Type.Optional(
      Type.Array(ScriptStep, { maxItems: maxSteps, description: 'What people and the agent do, in order' }),
    ),
  },
  closed,
);
export type SimulationInput = Static<typeof SimulationInput>;
