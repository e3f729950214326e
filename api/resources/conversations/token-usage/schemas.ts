import Type from 'typebox';
import { usageGroups } from '../../../../db/agent/usage-sums.js';
import { DateOnly, Id, Nullable, OneOf } from '../../../http/schemas.js';

const count = Type.Integer({ minimum: 0, default: 0 });
const credits = Type.Number({ minimum: 0 });
const multiplier = Type.Number({ minimum: 0, default: 1 });

const tokens = {
  promptTokens: Type.Optional(count),
  completionTokens: Type.Optional(count),
  cachedTokens: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'The part of promptTokens that the provider read from its cache',
    }),
  ),
  audioInputTokens: Type.Optional(count),
  audioOutputTokens: Type.Optional(count),
};

const ModelUsageResponse = Type.Object(
  {
    model: Type.String({ description: "The model's id in the catalogue" }),
    totalTokens: Type.Integer({ minimum: 0 }),
    credits,
    multiplier: Type.Number({ minimum: 0 }),
    ...tokens,
    inputMultiplier: Type.Optional(multiplier),
    outputMultiplier: Type.Optional(multiplier),
    cachedMultiplier: Type.Optional(multiplier),
  },
  {
    $id: 'ModelUsageResponse',
    description: 'Includes the multipliers at the time of use: credits do not change later.',
  },
);

const VoiceUsageResponse = Type.Object(
  {
    model: Type.String(),
    credits,
    multiplier: Type.Number({ minimum: 0 }),
    durationSeconds: Type.Optional(Type.Number({ minimum: 0 })),
    characterCount: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { $id: 'VoiceUsageResponse' },
);

export const ChatTokenUsageResponse = Type.Object(
  {
    ...tokens,
    totalTokens: Type.Optional(count),
    credits: Type.Optional(Type.Number({ minimum: 0, default: 0 })),
    creditsRemaining: Type.Optional(
      Type.Number({
        description:
          'What the workspace has left of its credits for the month; below zero where the budget was exceeded. Absent without a budget, and without the permission workspace:read',
      }),
    ),
    extraUsageEnabled: Type.Optional(
      Type.Boolean({ description: 'Whether agents go on beyond the budget; present with creditsRemaining' }),
    ),
    usageByModel: Type.Optional(Type.Array(ModelUsageResponse, { default: [] })),
    sttUsage: Type.Optional(Type.Array(VoiceUsageResponse, { default: [] })),
    ttsUsage: Type.Optional(Type.Array(VoiceUsageResponse, { default: [] })),
    voiceDurationSeconds: Type.Optional(Type.Number({ minimum: 0 })),
    creditsPerHour: Type.Optional(Type.Number({ minimum: 0 })),
    phoneCalls: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ minimum: 0, description: 'How many answered calls have ended' }),
          durationSeconds: Type.Integer({ minimum: 0, description: 'How long they have lasted' }),
          durationDifference: Type.Integer({
            description: 'What the carrier has counted more than the service has measured, in seconds',
          }),
          costs: Type.Array(
            Type.Object({
              currency: Type.String({ description: 'The currency of the prices (ISO 4217)' }),
              price: Type.Number({
                minimum: 0,
                description: 'What the carrier charges for those that it has billed',
              }),
              costDifference: Nullable(
                Type.Number({
                  description:
                    'price minus what they should cost by the prices of the operator; null without prices',
                }),
              ),
            }),
            { maxItems: 20, description: 'What the carrier charges for them, by currency' },
          ),
        },
        { description: 'What the carrier says of the calls of the chat; with the permission workspace:read' },
      ),
    ),
  },
  {
    $id: 'ChatTokenUsageResponse',
    description:
      'usageByModel has the models that are priced by tokens, also those that listen and speak; sttUsage those that write down what is said in calls, with the seconds of speech. ttsUsage is empty: the service uses no models that only speak. The totals have both. voiceDurationSeconds is how long the calls of the chat have lasted that have ended, creditsPerHour what the models have cost in an hour of them; absent without calls.',
  },
);

const sums = {
  calls: Type.Integer({ minimum: 0, description: 'How many calls of models there were' }),
  promptTokens: Type.Integer({ minimum: 0 }),
  completionTokens: Type.Integer({ minimum: 0 }),
  cachedTokens: Type.Integer({
    minimum: 0,
    description: 'The part of promptTokens that the provider read from its cache',
  }),
  audioInputTokens: Type.Integer({ minimum: 0 }),
  audioOutputTokens: Type.Integer({ minimum: 0 }),
  totalTokens: Type.Integer({ minimum: 0 }),
  credits,
};

const day = (description: string) => Type.String({ ...DateOnly, description });
const model = Type.String({ minLength: 1, maxLength: 200, description: "The model's id in the catalogue" });

export const UsageQuery = Type.Object({
  from: Type.Optional(day('First day; by default the first of the month of the last')),
  to: Type.Optional(day('Last day, at most 366 days; by default today')),
  groupBy: OneOf(usageGroups, { default: 'day', description: 'What the items are sums of' }),
  workflowId: Type.Optional(Id),
  model: Type.Optional(model),
});

export const UsageResponse = Type.Object(
  {
    timezone: Type.String({ description: 'The time zone of the workspace, in which days begin' }),
    from: day('First day of the sums'),
    to: day('Last day of the sums'),
    ...sums,
    items: Type.Array(
      Type.Object(
        {
          day: Type.Optional(day('The day, if grouped by day')),
          month: Type.Optional(Type.String({ description: 'The month as YYYY-MM, if grouped by month' })),
          workflowId: Type.Optional(
            Nullable(
              Type.Integer({ description: 'The workflow, if grouped by workflow; null: chats without one' }),
            ),
          ),
          model: Type.Optional(model),
          ...sums,
        },
        { $id: 'UsageItemResponse' },
      ),
      {
        description:
          'One for each day or month with usage, in their order; or for each workflow or model, the 1,000 with the most credits first',
      },
    ),
  },
  { $id: 'UsageResponse' },
);

export const MemberUsageResponse = Type.Object(
  {
    memberId: Type.Integer({ description: 'The member of the chats in which the agent used the model' }),
    ...sums,
  },
  { $id: 'MemberUsageResponse' },
);

export const memberUsageFilters = {
  month: Type.Optional(
    Type.String({
      maxLength: 7,
      pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
      description: "YYYY-MM, in the workspace's time zone; by default the current month",
    }),
  ),
  memberId: Type.Optional(Id),
};
