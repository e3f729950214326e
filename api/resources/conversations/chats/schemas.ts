import Type, { type Static, type TInteger } from 'typebox';
import { shownCharacters } from '../../../../db/conversations/waiting-chats.js';
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

export const ChatInterruptResponse = Type.Object(
  {
    kind: OneOf(['tool_call', 'handoff'], {
      description:
        'tool_call: a tool call of the agent waits for approval; handoff: the chat was handed over and waits because of that; no colleague has taken or answered it',
    }),
    id: Type.String({ description: 'Names the interrupt in the decision about it' }),
    since: Type.String({ format: 'date-time', description: 'When the chat began to wait for this' }),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Of a tool call: after that it is not run any more, and a colleague is alerted',
      }),
    ),
    toolCall: Type.Optional(
      Type.Object(
        {
          id: Type.String({ description: '`id` in `tool_calls` of a message' }),
          name: Type.String({ description: 'The name of the tool' }),
          arguments: Type.String({ description: 'JSON, as the model has written it' }),
        },
        { description: 'For callers with the permission chats:admin' },
      ),
    ),
  },
  { $id: 'ChatInterruptResponse', description: 'What the chat waits for a person to decide' },
);

export const DecideInterruptRequest = Type.Object(
  {
    interruptId: Type.String({
      minLength: 1,
      maxLength: 64,
      description: '`id` of the interrupt that the caller has seen: the decision is about no other',
    }),
    decision: OneOf(['approve', 'reject'], {
      description:
        'approve: run the tool call, or take the chat that was handed over; reject: do not run it, or return the chat to the agent',
    }),
    comment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'For the agent, when it is rejected',
      }),
    ),
  },
  { $id: 'DecideInterruptRequest' },
);

export const ChatResponse = Type.Object(
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
        maxLength: 2_000,
        description:
          'For the agent, to whom the chat is given back: its next turn reads it, and the member never sees it. Needs the permission chats:write',
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

const queueStates = ['open', 'claimed', 'mine', 'snoozed', 'all'] as const;

export const WaitingChatsQuery = PageQuery(
  ['waitingSince', 'lastMessageReceivedAt', 'createdAt', 'updatedAt'],
  {
    ...filters,
    reason: Type.Optional(AnyOf(OneOf(needsResponseReasons))),
    state: Type.Optional(
      OneOf(queueStates, {
        description:
          'open (the default: neither claimed nor snoozed), claimed (by anyone), mine (claimed by the caller), snoozed, or all. All but all need the permission chats:read, without which all is the default',
      }),
    ),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description:
          'next of an earlier page: only the chats behind it. With sortBy waitingSince, and instead of page, so that no chat is passed over when others are answered meanwhile',
      }),
    ),
  },
);

const counted = (what: string) => ({
  count: Type.Integer({ minimum: 0, description: `Chats that wait ${what}` }),
  oldest: { ...Timestamp, description: 'Since when the first of them waits' },
});

const ages = {
  hour: 'less than an hour',
  day: 'an hour to a day',
  week: 'a day to a week',
  older: 'longer than a week',
} as const;

export const QueueCountsQuery = Type.Object({
  state: OneOf(['open', 'claimed', 'mine', 'snoozed', 'all'], {
    default: 'open',
    description:
      'Which chats are counted, as in the list: those that are neither claimed nor snoozed by default',
  }),
});

export const QueueCountsResponse = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'How many chats wait in this state' }),
    byReason: Type.Array(
      Type.Object({
        reason: Nullable(OneOf(needsResponseReasons, { description: 'The code; null: none was stored' })),
        text: Type.String({ description: 'The reason in words' }),
        ...counted('for this reason'),
      }),
      { maxItems: needsResponseReasons.length + 1, description: 'The most frequent first' },
    ),
    byChannel: Type.Array(Type.Object({ channel: OneOf(channels), ...counted('on this channel') }), {
      maxItems: channels.length,
      description: 'The most frequent first',
    }),
    byAge: Type.Object(
      Object.fromEntries(
        Object.entries(ages).map(([age, words]) => [
          age,
          Type.Integer({ minimum: 0, description: `Chats that have waited ${words}` }),
        ]),
      ) as Record<keyof typeof ages, TInteger>,
      { description: 'By how long they have waited' },
    ),
  },
  { $id: 'QueueCountsResponse' },
);
export type QueueCountsResponse = Static<typeof QueueCountsResponse>;

const LastMessage = Type.Object(
  {
    id: Type.String({ description: 'Id of the message, as in the list of messages' }),
    role: OneOf(['user', 'assistant'], {
      description: 'Who the message is from: a person, or the assistant',
    }),
    author: Type.Optional(
      OneOf(['member', 'person', 'agent', 'workflow', 'system'], { description: 'Who wrote it' }),
    ),
    memberId: Type.Optional(Type.Integer({ ...Id, description: 'Member who wrote it, if a member did' })),
    text: Type.String({
      description: `Its text, plain, cut after ${shownCharacters} characters; empty if it has files only`,
    }),
    createdAt: Timestamp,
  },
  { description: 'The last message of anyone, without notes; absent if there is none' },
);

export const WaitingChatResponse = Type.Object(
  {
    ...ChatResponse.properties,
    waitingSince: Type.String({
      format: 'date-time',
      description: 'Since when the chat needs a response. It stays when the member writes again',
    }),
    lastMessage: Type.Optional(LastMessage),
    claim: Type.Optional(
      Type.Object(
        {
          memberId: Type.Integer({ ...Id, description: 'Colleague who has claimed the chat' }),
          until: Type.String({
            format: 'date-time',
            description:
              'When the claim ends by itself. In the past: it has ended, and the chat is open again',
          }),
        },
        { description: 'Who answers the chat; for callers with the permission chats:read' },
      ),
    ),
    snooze: Type.Optional(
      Type.Object(
        {
          at: Type.String({ format: 'date-time', description: 'When the chat was snoozed' }),
          until: Nullable(
            Type.String({
              format: 'date-time',
              description: 'When the chat is open again; null: when the member writes',
            }),
          ),
        },
        { description: 'That the chat is put off; for callers with the permission chats:read' },
      ),
    ),
  },
  { $id: 'WaitingChatResponse' },
);
export type WaitingChatResponse = Static<typeof WaitingChatResponse>;

export const WaitingChatPage = Type.Object(
  {
    ...Page(WaitingChatResponse).properties,
    next: Type.Optional(
      Type.String({
        description:
          'Where the next page begins, for the parameter after. Absent on the last page, and in other orders',
      }),
    ),
  },
  { $id: 'WaitingChatPage' },
);

export const ClaimChatRequest = Type.Object(
  {
    minutes: Type.Integer({
      minimum: 1,
      maximum: 1_440,
      default: 30,
      description: 'After so many minutes without an answer the chat is open again',
    }),
  },
  { $id: 'ClaimChatRequest' },
);

export const SnoozeChatRequest = Type.Object(
  {
    until: Type.Optional(
      Nullable(
        Type.String({
          format: 'date-time',
          maxLength: 40,
          description:
            'When the chat is open again, within a year; null or absent: when the member writes. A message of the member ends every snooze',
        }),
      ),
    ),
    lastMessageId: Type.Optional(
      Type.String({
        format: 'uuid',
        maxLength: 36,
        description:
          'Id of the last message that the caller has seen: if the chat has a newer one, the snooze is refused, so that no message is put off unread',
      }),
    ),
  },
  { $id: 'SnoozeChatRequest' },
);

export const DirectChatRequest = Type.Object({
  memberId: Type.Integer({ ...Id, description: 'The member to write with: a person or an assistant' }),
});

export const DailyChatsQuery = Type.Object({
  from: Type.Optional(DateOnly),
  to: Type.Optional(DateOnly),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Time zone that determines the days, by its IANA name, for example Europe/Paris; by default that of the workspace',
    }),
  ),
  channel: filters.channel,
  isTest: filters.isTest,
});

const chatsOfChannel = Type.Integer({
  minimum: 0,
  description: 'How many chats of this channel were created',
});
const ChannelCounts = Type.Object(
  {
    'web-chat': chatsOfChannel,
    'phone-sms': chatsOfChannel,
    'phone-voice': chatsOfChannel,
    email: chatsOfChannel,
  },
  { description: 'How many of them there are on each channel' },
);

export const DailyChatsResponse = Type.Object(
  {
    timezone: Type.String({ description: 'The time zone that determines the days' }),
    total: Type.Integer({ minimum: 0 }),
    byChannel: ChannelCounts,
    days: Type.Array(
      Type.Object({ date: DateOnly, count: Type.Integer({ minimum: 0 }), byChannel: ChannelCounts }),
    ),
  },
  { $id: 'DailyChatsResponse' },
);
