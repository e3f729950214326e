import Type, { type Static } from 'typebox';
import { Id, ModelId, Nullable, OneOf, Page, PageQuery, Timestamp, Uuid } from '../../http/schemas.js';

const channels = ['web-chat', 'phone-sms', 'phone-voice', 'email'] as const;
const participantRoles = ['user', 'contributor', 'operator', 'assistant'] as const;
const ModelConfig = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 });

export const ChatParticipantResponse = Type.Object(
  {
    name: Nullable(Type.String()),
    role: Type.String({ description: participantRoles.join(', ') }),
    memberId: Type.Optional(Id),
    memberType: Type.Optional(OneOf(['human', 'assistant'])),
    additionalInstructions: Type.Optional(Type.String()),
    chatModel: Type.Optional(Type.String()),
    realtimeModel: Type.Optional(Type.String()),
    chatModelConfig: Type.Optional(ModelConfig),
    realtimeModelConfig: Type.Optional(ModelConfig),
  },
  { $id: 'ChatParticipantResponse' },
);
export type ChatParticipantResponse = Static<typeof ChatParticipantResponse>;

export const ChatLabelResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    color: Type.String(),
    description: Type.String(),
  },
  { $id: 'ChatLabelResponse' },
);

export const ChatResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    archived: Type.Boolean(),
    muted: Type.Boolean(),
    channel: OneOf(channels),
    chatType: Type.String(),
    paused: Type.Boolean({ description: 'The agent stays silent; a person has the chat' }),
    pausedAt: Nullable(Timestamp),
    pausedReason: Nullable(
      Type.String({ description: 'operator, operator_reply, handoff, or what was given' }),
    ),
    needsResponse: Type.Boolean({ description: 'A person has to answer' }),
    assignmentId: Nullable(Id),
    workflowId: Nullable(Id),
    fromMessageId: Nullable(Id),
    phoneNumberId: Nullable(Id),
    inboxId: Nullable(Id),
    siteId: Nullable(Id),
    folderId: Nullable(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    title: Nullable(Type.String()),
    summary: Nullable(Type.String()),
    summaryUpdatedAt: Nullable(Timestamp),
    lastMessageReceivedAt: Nullable(Timestamp),
    messageCount: Type.Integer({ minimum: 0 }),
    participants: Type.Array(ChatParticipantResponse),
    canSendAsAssistant: Type.Boolean(),
    labels: Type.Array(ChatLabelResponse),
    isTest: Type.Boolean(),
    workflowRevisionId: Type.Optional(Id),
    currentTaskName: Type.Optional(Type.String()),
    initialMessageError: Type.Optional(
      Type.String({ description: 'Why the initial message could not be sent: a reason code' }),
    ),
  },
  { $id: 'ChatResponse' },
);
export type ChatResponse = Static<typeof ChatResponse>;

export const ChatPage = Page(ChatResponse);

export const CreateChatRequest = Type.Object(
  {
    channel: OneOf(channels),
    workflowId: Type.Optional(Id),
    workflowRevisionId: Type.Optional(Id),
    memberId: Type.Optional(Id),
    phoneNumberId: Type.Optional(Id),
    inboxId: Type.Optional(Id),
    participants: Type.Optional(
      Type.Array(Type.Object({ memberId: Id, role: Type.Optional(OneOf(participantRoles)) }), {
        maxItems: 50,
        description:
          'Others who take part, as contributor unless told; people other than oneself need the permission chats:write, and only assistants are assistant',
      }),
    ),
    assistantEnabled: Type.Optional(Type.Boolean({ description: 'Default true' })),
    assistantMemberId: Type.Optional(Id),
    assistantChatModelId: Type.Optional(ModelId('chat')),
    assistantRealtimeModelId: Type.Optional(ModelId('realtime')),
    initialMessage: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    siteId: Type.Optional(Id),
    isTest: Type.Optional(Type.Boolean()),
    chatType: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  },
  {
    description:
      'The member defaults to the caller, the revision to the active one, the models to those of the assistant; a deprecated model is replaced by its replacement. SMS and voice need a phoneNumberId unless the workflow has a default number.',
  },
);

export const UpdateChatRequest = Type.Object(
  {
    title: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    archived: Type.Optional(Type.Boolean()),
    muted: Type.Optional(Type.Boolean()),
    paused: Type.Optional(Type.Boolean()),
    pausedReason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'operator, unless told otherwise' }),
    ),
    assistantEnabled: Type.Optional(Type.Boolean()),
  },
  { description: 'What is left out stays.' },
);

export const ListChatsQuery = PageQuery(
  ['createdAt', 'updatedAt', 'lastMessageReceivedAt'],
  {
    memberId: Type.Optional(Id),
    channel: Type.Optional(OneOf(channels)),
    archived: Type.Optional(Type.Boolean()),
    needsResponse: Type.Optional(Type.Boolean()),
  },
  'desc',
);
