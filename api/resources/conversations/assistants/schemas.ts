import Type from 'typebox';
import { ChatModelConfig } from '../../../../domain/kernel/ai-models/chat-model-config.js';
import { RealtimeModelConfig } from '../../../../domain/kernel/ai-models/realtime-model-config.js';
import {
  type AnswerOf,
  Id,
  ModelId,
  Name,
  Nullable,
  Page,
  PageQuery,
  Picked,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';

const ModelConfig = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 50,
  description: 'Settings passed to the model, such as temperature',
});

export const BaseAssistantResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    memberId: Id,
    name: Type.String(),
    instructions: Type.Optional(
      Type.String({
        description:
          'How the assistant behaves. Like the four fields below, only present with the permission',
      }),
    ),
    chatModelId: Type.Optional(Nullable(Type.String())),
    realtimeModelId: Type.Optional(Nullable(Type.String())),
    chatModelConfig: Type.Optional(ModelConfig),
    realtimeModelConfig: Type.Optional(ModelConfig),
    isDefault: Type.Boolean(),
    enabled: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    $id: 'BaseAssistantResponse',
    description: 'Instructions and models are only present with the permission assistants:read.',
  },
);
export type BaseAssistantResponse = AnswerOf<typeof BaseAssistantResponse>;

export const AssistantPage = Page(BaseAssistantResponse);

const modelId = (type: 'chat' | 'realtime') =>
  Type.Optional(
    Type.Union([ModelId(type), Type.Null()], {
      description: 'Null selects the recommended model; a deprecated model is replaced by its replacement',
    }),
  );

const name = Name();
const instructions = Type.String({
  maxLength: 50_000,
  description: 'How the assistant behaves, for all tasks',
});
const optionalFields = {
  chatModelId: modelId('chat'),
  realtimeModelId: modelId('realtime'),
  chatModelConfig: Type.Optional(ChatModelConfig),
  realtimeModelConfig: Type.Optional(RealtimeModelConfig),
  isDefault: Type.Optional(
    Type.Boolean({ description: 'Answers in chats without an assistant of their own' }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the assistant answers. Default true' })),
};

export const CreateAssistantRequest = Type.Object(
  { name, instructions, ...optionalFields },
  { $id: 'CreateAssistantRequest' },
);

export const UpdateAssistantRequest = Type.Object(
  { name: Type.Optional(name), instructions: Type.Optional(instructions), ...optionalFields },
  { $id: 'UpdateAssistantRequest' },
);

export const ListAssistantsQuery = PageQuery(['name', 'createdAt', 'updatedAt'], {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name' })),
});
