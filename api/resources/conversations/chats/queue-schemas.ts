import Type, { type TInteger } from 'typebox';
import { shownCharacters } from '../../../../db/conversations/waiting-chats.js';
import { needsResponseReasons } from '../../../../domain/kernel/alert-colleague.js';
import {
  type AnswerOf,
  AnyOf,
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Time,
  Timestamp,
} from '../../../http/schemas.js';
import { ChatResponse, channels, chatFilters } from './schemas.js';

const queueStates = ['open', 'claimed', 'mine', 'snoozed', 'all'] as const;

export const WaitingChatsQuery = PageQuery(
  ['waitingSince', 'lastMessageReceivedAt', 'createdAt', 'updatedAt'],
  {
    ...chatFilters,
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
  state: OneOf(queueStates, {
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
export type QueueCountsResponse = AnswerOf<typeof QueueCountsResponse>;

const LastMessage = Picked(
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

export const WaitingChatResponse = Picked(
  {
    ...ChatResponse.properties,
    waitingSince: Time({
      description: 'Since when the chat needs a response. It stays when the member writes again',
    }),
    lastMessage: Type.Optional(LastMessage),
  },
  { $id: 'WaitingChatResponse' },
);
export type WaitingChatResponse = AnswerOf<typeof WaitingChatResponse>;

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
