import Type, { type Static } from 'typebox';
import { ChatModelConfig } from '../../../../domain/kernel/ai-models/chat-model-config.js';
import { RealtimeModelConfig } from '../../../../domain/kernel/ai-models/realtime-model-config.js';
import { Id, ModelId, Nullable, OneOf } from '../../../http/schemas.js';
import { ChatParticipantResponse, participantRoles } from '../chats/schemas.js';

const role = OneOf(participantRoles, {
  description:
    'user: on the side of the member, without the notes of colleagues; contributor: takes part; operator: a colleague; assistant: an agent, for members of kind assistant only',
});

export const AddParticipantRequest = Type.Object(
  {
    memberId: Type.Integer({ ...Id, description: 'The member that is added' }),
    role: Type.Optional({ ...role, default: 'contributor' }),
  },
  { $id: 'AddParticipantRequest' },
);

export const AddParticipantResponse = Type.Object(
  {
    status: Type.Literal('success', { description: 'Always success: failures are problems' }),
    message: Type.String({ description: 'A sentence that says what was done' }),
    id: Id,
  },
  { $id: 'AddParticipantResponse' },
);

export const UpdateParticipantRequest = Type.Object(
  {
    role: Type.Optional(role),
    additionalInstructions: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          description: "Added to the assistant's own instructions in this chat. Null: nothing is added",
        }),
      ),
    ),
    chatModel: Type.Optional(Nullable(ModelId('chat'))),
    realtimeModel: Type.Optional(Nullable(ModelId('realtime'))),
    chatModelConfig: Type.Optional(Nullable(ChatModelConfig)),
    realtimeModelConfig: Type.Optional(Nullable(RealtimeModelConfig)),
  },
  {
    $id: 'UpdateParticipantRequest',
    description:
      'Omitted fields keep their values. All fields but role are for assistants. Null takes the value of the chat, else that of the assistant.',
  },
);

export const ChatParticipant = Type.Object(
  { id: Id, ...ChatParticipantResponse.properties },
  { $id: 'ChatParticipant' },
);
export type ChatParticipant = Static<typeof ChatParticipant>;

export const ParticipantList = Type.Array(ChatParticipant);
