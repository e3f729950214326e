import Type from 'typebox';
import { readTokenUsage } from '../../../../domain/conversations/chats/read-token-usage.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';

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

const ChatTokenUsageResponse = Type.Object(
  {
    ...tokens,
    totalTokens: Type.Optional(count),
    credits: Type.Optional(Type.Number({ minimum: 0, default: 0 })),
    creditsRemaining: Type.Optional(Type.Number()),
    extraUsageEnabled: Type.Optional(Type.Boolean()),
    usageByModel: Type.Optional(Type.Array(ModelUsageResponse, { default: [] })),
    sttUsage: Type.Optional(Type.Array(VoiceUsageResponse, { default: [] })),
    ttsUsage: Type.Optional(Type.Array(VoiceUsageResponse, { default: [] })),
    voiceDurationSeconds: Type.Optional(Type.Number({ minimum: 0 })),
    creditsPerHour: Type.Optional(Type.Number({ minimum: 0 })),
  },
  {
    $id: 'ChatTokenUsageResponse',
    description:
      'Audio and voice fields are absent if nothing was spoken, quota fields if there are no quotas.',
  },
);

const get = defineRoute({
  operationId: 'getChatTokenUsage',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/token-usage',
  tag: 'Token usage',
  summary: 'Get the token usage of a chat',
  description:
    "Tokens and credits of all model calls of the agent, including those whose answers were superseded and never sent. For the caller's own chats, or any with the permission chats:read.",
  access: workspaceMember({ scope: 'chats:read' }),
  response: { status: 200, schema: ChatTokenUsageResponse },
  handler: async ({ context, params }) => {
    const { byModel, ...totals } = await readTokenUsage(context, params.chat_id);
    return { ...totals, usageByModel: byModel.map(({ modelId: model, ...usage }) => ({ model, ...usage })) };
  },
});

export const tokenUsageRoutes = [get];
