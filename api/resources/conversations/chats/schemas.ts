import Type, { type Static } from 'typebox';
import { deliveryFailureReasons } from '../../../../domain/channels/deliveries/failure-reasons.js';
import { needsResponseMeanings, needsResponseReasons } from '../../../../domain/kernel/call-person.js';
import {
  AnyOf,
  createdBetween,
  DateOnly,
  Id,
  ModelId,
  Nullable,
  neutralize,
  OneOf,
  Page,
  PageQuery,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { ChatLabelResponse } from '../../labels.js';
import { OpenAIMessageResponse } from '../messages/schemas.js';

const meanings = Object.entries(needsResponseMeanings)
  .map(([reason, meaning]) => `${reason}: ${meaning}`)
  .join('; ');

const channels = ['web-chat', 'phone-sms', 'phone-voice', 'email'] as const;
export const participantRoles = ['user', 'contributor', 'operator', 'assistant'] as const;
export const ModelConfig = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 });

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

export const ChatResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    archived: Type.Boolean({
      description:
        'Archived: nothing is sent in the chat until it is reopened, by hand or by a message of the member',
    }),
    muted: Type.Boolean({
      description: 'Does not call a person: the chat is not listed among those that need a response',
    }),
    channel: OneOf(channels),
    chatType: Type.String(),
    paused: Type.Boolean({ description: 'The agent is silent; a person handles the chat' }),
    pausedAt: Nullable(Timestamp),
    pausedReason: Nullable(
      Type.String({
        description:
          'operator (paused by hand), operator_reply (a person wrote to the member), handoff (by the agent or a task), or the reason given',
      }),
    ),
    needsResponse: Type.Boolean({ description: 'A person must answer' }),
    needsResponseReason: Type.Optional(
      OneOf(needsResponseReasons, { description: `Why a person must answer, if known. ${meanings}` }),
    ),
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
      Type.String({
        description: `Why the initial message did not reach the member, known at once or after the carrier's report. One of: ${deliveryFailureReasons.join(', ')}.`,
      }),
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
          'Further participants, by default with the role contributor. Adding people other than the caller needs the permission chats:write; only assistants can have the role assistant',
      }),
    ),
    assistantEnabled: Type.Optional(
      Type.Boolean({ description: 'Whether the agent may answer in the chat at all. Default true' }),
    ),
    assistantMemberId: Type.Optional(Id),
    assistantChatModelId: Type.Optional(ModelId('chat')),
    assistantRealtimeModelId: Type.Optional(ModelId('realtime')),
    initialMessage: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    siteId: Type.Optional(Id),
    isTest: Type.Optional(
      Type.Boolean({ description: 'Whether the chat is a test; true needs the permission chats:write' }),
    ),
    chatType: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  },
  {
    description:
      "The member defaults to the caller, the revision to the active one, and the models to those of the assistant; other values of these need the permission chats:write. A deprecated model is replaced by its replacement. SMS needs a phoneNumberId, unless the workflow has a default number. Voice and email chats are not available in this version and are refused with the codes `voice_unavailable` and `email_unavailable`; only an operator's first email creates a chat, whose initialMessageError says that it was not sent.",
  },
);

export const UpdateChatRequest = Type.Object(
  {
    title: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    archived: Type.Optional(Type.Boolean()),
    muted: Type.Optional(
      Type.Boolean({
        description: 'Whether the chat calls no person. Needs the permission chats:write',
      }),
    ),
    paused: Type.Optional(Type.Boolean()),
    pausedReason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Why the agent is silent; operator by default. Changing it needs the same permission as resuming the chat',
      }),
    ),
    assistantEnabled: Type.Optional(Type.Boolean()),
    labelIds: Type.Optional(
      Type.Array(Id, {
        maxItems: 50,
        description: "The complete list of the chat's labels. Needs the permission chats:write",
      }),
    ),
  },
  { description: 'Omitted fields keep their values.' },
);

const filters = {
  channel: Type.Optional(AnyOf(OneOf(channels))),
  memberId: Type.Optional(AnyOf(Id)),
  assignmentId: Type.Optional(AnyOf(Id)),
  labelId: Type.Optional(AnyOf(Id)),
  workflowId: Type.Optional(AnyOf(Id)),
  phoneNumberId: Type.Optional(AnyOf(Id)),
  chatType: Type.Optional(AnyOf(Type.String({ minLength: 1, maxLength: 50 }))),
  ...createdBetween,
  paused: Type.Optional(Type.Boolean()),
  isTest: Type.Optional(Type.Boolean()),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Part of the title or of the member's name. With the permission members:read, or for the caller's own member, also part of email or phone, or an external id",
    }),
  ),
};

const listFilters = {
  ...filters,
  archived: Type.Optional(Type.Boolean()),
  muted: Type.Optional(Type.Boolean()),
  needsResponse: Type.Optional(Type.Boolean()),
};

export const ListChatsQuery = PageQuery(
  ['createdAt', 'updatedAt', 'lastMessageReceivedAt'],
  listFilters,
  'desc',
);

export const ExportChatsQuery = Type.Object({ ...listFilters, neutralize });

export const ExportTranscriptsQuery = Type.Object({
  ...listFilters,
  messages: Type.Boolean({ default: true, description: 'Whether each chat is followed by its messages' }),
});

/** A line of the answer: a chat, or a message of the chat before it. */
export const TranscriptLine = Type.Union(
  [
    Type.Object({ type: Type.Literal('chat', { description: 'The line is a chat' }), chat: ChatResponse }),
    Type.Object({
      type: Type.Literal('message', { description: 'The line is a message of the chat before it' }),
      chatId: Type.Integer({ ...Id, description: 'Id of the chat that the message is in' }),
      message: OpenAIMessageResponse,
    }),
  ],
  { $id: 'TranscriptLine' },
);
export type TranscriptLine = Static<typeof TranscriptLine>;

export const ChatsToAnswerQuery = PageQuery(['lastMessageReceivedAt', 'createdAt', 'updatedAt'], filters);

export const DirectChatRequest = Type.Object({
  memberId: Type.Integer({ ...Id, description: 'The member to write with: a person or an assistant' }),
});

export const DailyChatsQuery = Type.Object({
  from: Type.Optional(DateOnly),
  to: Type.Optional(DateOnly),
  channel: filters.channel,
  isTest: filters.isTest,
});

export const DailyChatsResponse = Type.Object(
  {
    timezone: Type.String({ description: "The workspace's time zone, which determines the days" }),
    total: Type.Integer({ minimum: 0 }),
    days: Type.Array(Type.Object({ date: DateOnly, count: Type.Integer({ minimum: 0 }) })),
  },
  { $id: 'DailyChatsResponse' },
);
