import Type from 'typebox';
import { deliveryFailureReasons } from '../../../../domain/channels/deliveries/failure-reasons.js';
import { needsResponseMeanings, needsResponseReasons } from '../../../../domain/kernel/alert-colleague.js';
import {
  type AnswerOf,
  AnyOf,
  createdBetween,
  Id,
  ModelId,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Time,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { ChatLabelResponse } from '../../labels.js';
import { ChatInterruptResponse } from '../interrupt/schemas.js';
import { maxNote } from '../notes/schemas.js';

const meanings = Object.entries(needsResponseMeanings)
  .map(([reason, meaning]) => `${reason}: ${meaning}`)
  .join('; ');

export const channels = ['web-chat', 'phone-sms', 'phone-voice', 'email'] as const;
export const participantRoles = ['user', 'contributor', 'operator', 'assistant'] as const;
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
export type ChatParticipantResponse = AnswerOf<typeof ChatParticipantResponse>;

export const ChatResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    archived: Type.Boolean({
      description:
        'Archived: nothing is sent in the chat until it is reopened, by hand or by a message of the member',
    }),
    muted: Type.Boolean({
      description: 'Does not alert a colleague: the chat is not listed among those that need a response',
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
    needsResponseText: Type.Optional(Type.String({ description: 'The same in words' })),
    assignmentId: Nullable(Id),
    workflowId: Nullable(Id),
    fromMessageId: Nullable({
      ...Id,
      description: 'The message from which the chat was begun; null: none, or it was deleted',
    }),
    phoneNumberId: Nullable(Id),
    inboxId: Nullable(Id),
    siteId: Nullable(Id),
    folderId: Nullable({
      ...Id,
      description:
        'The folder of files in which people keep the chat; it gives nobody a right to read chat, folder or files',
    }),
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
    interrupt: Type.Optional(ChatInterruptResponse),
    initialMessageError: Type.Optional(
      OneOf(deliveryFailureReasons, {
        description:
          "Why the initial message, or one of the messages that a long text became, did not reach the member, known at once or after the carrier's report",
      }),
    ),
    claim: Type.Optional(
      Type.Object(
        {
          memberId: Type.Integer({ ...Id, description: 'Colleague who has claimed it' }),
          until: Time({
            description: 'When the claim ends by itself; in the past: it has',
          }),
        },
        { description: 'Who answers the chat, for callers with chats:read' },
      ),
    ),
    snooze: Type.Optional(
      Type.Object(
        {
          at: Time({ description: 'When a colleague put the chat off' }),
          until: Nullable(
            Time({
              description: 'When the chat is open again; null: when the member writes',
            }),
          ),
        },
        { description: 'That the chat is put off, for callers with chats:read' },
      ),
    ),
  },
  { $id: 'ChatResponse' },
);
export type ChatResponse = AnswerOf<typeof ChatResponse>;

export const ChatPage = Page(ChatResponse);

export const CreateChatRequest = Type.Object(
  {
    channel: OneOf(channels),
    workflowId: Type.Optional(Id),
    workflowRevisionId: Type.Optional(Id),
    memberId: Type.Optional(Id),
    phoneNumberId: Type.Optional(Id),
    inboxId: Type.Optional({
      ...Id,
      description:
        'Inbox that an email chat is sent from. Default: the only inbox of the workflow that is in use, else the only one of the workspace. Excludes phoneNumberId',
    }),
    participants: Type.Optional(
      Type.Array(
        Type.Union([Id, Type.Object({ memberId: Id, role: Type.Optional(OneOf(participantRoles)) })]),
        {
          maxItems: 50,
          description:
            'Further participants, each a member, or a member with a role; the default is contributor. Adding people other than the caller needs the permission chats:write; only assistants can have the role assistant',
        },
      ),
    ),
    assistantEnabled: Type.Optional(
      Type.Boolean({
        description:
          'Whether the agent may answer in the chat at all. Default true. False: no participant has the role assistant, and `paused` stays false, as there is nothing to resume',
      }),
    ),
    assistantMemberId: Type.Optional(Id),
    assistantChatModelId: Type.Optional(ModelId('chat')),
    assistantRealtimeModelId: Type.Optional(ModelId('realtime')),
    initialMessage: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        description:
          'First message to the member, of an SMS or email chat without an agent. By SMS, a text of more than 1,600 characters becomes several messages, ten at most',
      }),
    ),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    siteId: Type.Optional({
      ...Id,
      description:
        'Site of the workspace that the chat was begun on; one that is not public needs chats:write',
    }),
    fromMessageId: Type.Optional(
      Type.Union([Id, Uuid], {
        description:
          'Id of a message that the caller may read, in any chat, from which this chat is begun: as in the list of messages, or as a number. Needs the scope chats:read',
      }),
    ),
    folderId: Type.Optional({
      ...Id,
      description:
        'Folder of files, which the caller sees, in which people keep the chat. Needs the scope files:read',
    }),
    isTest: Type.Optional(
      Type.Boolean({ description: 'Whether the chat is a test; true needs the permission chats:write' }),
    ),
    chatType: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  },
  {
    description:
      "The member defaults to the caller, the revision to the active one, and the models to those of the assistant; other values of these need the permission chats:write. A deprecated model is replaced by its replacement. SMS needs a phoneNumberId, unless the workflow has a default number, also with an initialMessage: without one it is 400, and no chat is created. Email needs an inbox (`missing_inbox` at `/inboxId`); only an operator's first message creates a chat all the same, whose initialMessageError says that it was not sent. Voice needs a phoneNumberId with voice, unless the workflow has a default number, and is refused with the code `voice_unavailable` in an installation without a carrier or a model that speaks.",
  },
);

export const UpdateChatRequest = Type.Object(
  {
    title: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    archived: Type.Optional(Type.Boolean()),
    muted: Type.Optional(
      Type.Boolean({
        description: 'Whether the chat alerts no colleague. Needs the permission chats:write',
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
    folderId: Type.Optional(
      Nullable({
        ...Id,
        description:
          'Folder of files, which the caller sees, in which people keep the chat; null: none. Needs the permission chats:write and the scope files:read',
      }),
    ),
    labelIds: Type.Optional(
      Type.Array(Id, {
        maxItems: 50,
        description: "The complete list of the chat's labels. Needs the permission chats:write",
      }),
    ),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxNote,
        description:
          'For the agent, to whom the chat is given back: its next turn reads it, and the member never sees it. Needs the permission chats:write',
      }),
    ),
  },
  { description: 'Omitted fields keep their values.' },
);

export const chatFilters = {
  channel: Type.Optional(AnyOf(OneOf(channels))),
  memberId: Type.Optional(AnyOf(Id)),
  assignmentId: Type.Optional(AnyOf(Id)),
  labelId: Type.Optional(AnyOf(Id)),
  workflowId: Type.Optional(AnyOf(Id)),
  phoneNumberId: Type.Optional(AnyOf(Id)),
  folderId: Type.Optional(AnyOf(Id)),
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

export const listFilters = {
  ...chatFilters,
  archived: Type.Optional(Type.Boolean()),
  muted: Type.Optional(Type.Boolean()),
  needsResponse: Type.Optional(Type.Boolean()),
};

export const ListChatsQuery = PageQuery(
  ['createdAt', 'updatedAt', 'lastMessageReceivedAt'],
  listFilters,
  'desc',
);

export const DirectChatRequest = Type.Object({
  memberId: Type.Integer({ ...Id, description: 'The member to write with: a person or an assistant' }),
});

export const LastMessagesResponse = Type.Object(
  {
    items: Type.Array(
      Picked({ memberId: Id, at: { ...Timestamp, description: 'When the member last wrote' } }),
      { maxItems: 100 },
    ),
  },
  { $id: 'LastMessagesResponse' },
);
