import Type from 'typebox';
import type { OutgoingMessage } from '../../../../db/conversations/outgoing-messages.js';
import { shownCharacters } from '../../../../db/conversations/waiting-chats.js';
import { deliveryFailureReasons } from '../../../../domain/channels/deliveries/failure-reasons.js';
import { countFailedMessages } from '../../../../domain/conversations/chats/answer-statistics.js';
import { listOutgoingMessages } from '../../../../domain/conversations/chats/list-outgoing-messages.js';
import { workspaceMember } from '../../../http/access.js';
import { dayRange, TimezoneOfDays } from '../../../http/day-range.js';
import { defineRoute } from '../../../http/define-route.js';
import {
  beforeQuery,
  createdBetween,
  Id,
  Nullable,
  OneOf,
  Picked,
  Time,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { timeOf } from '../../events/webhook-deliveries/schemas.js';

const channels = ['web-chat', 'phone-sms', 'phone-voice', 'email'] as const;

const Outgoing = Picked(
  {
    id: Uuid,
    chatId: Type.Integer({ ...Id, description: 'The chat that it is in' }),
    channel: OneOf(channels, { description: 'The channel of the chat' }),
    memberId: Type.Integer({ ...Id, description: 'The member of the chat, for whom it is' }),
    memberName: Nullable(Type.String({ description: 'The name of that member' })),
    author: Type.Optional(
      OneOf(['member', 'person', 'agent', 'workflow', 'system'], { description: 'Who wrote it' }),
    ),
    authorMemberId: Type.Optional(
      Type.Integer({ ...Id, description: 'Member who wrote it, if a member did' }),
    ),
    text: Type.String({ description: `Its text, plain, cut after ${shownCharacters} characters` }),
    createdAt: Timestamp,
    deliveryStatus: OneOf(['waiting', 'failed'], {
      description: 'waiting: it is yet to be sent, or is being sent. failed: it does not reach the member',
    }),
    failureReason: Type.Optional(
      Type.String({ description: `Why it failed. One of: ${deliveryFailureReasons.join(', ')}.` }),
    ),
    errorCode: Type.Optional(Type.String({ description: "The carrier's code of the failure" })),
    waitsUntil: Type.Optional({ ...Timestamp, description: 'The time that it waits for' }),
    attempts: Type.Optional(Type.Integer({ minimum: 0, description: 'How often it was tried so far' })),
  },
  { $id: 'OutgoingMessageResponse' },
);

const OutgoingPage = Type.Object(
  {
    items: Type.Array(Outgoing, { maxItems: 100 }),
    next: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Where the next page begins, for the parameter before' }),
    ),
  },
  { $id: 'OutgoingMessagePage' },
);

const list = defineRoute({
  operationId: 'listOutgoingMessages',
  method: 'GET',
  path: '/w/{workspace_uuid}/messages',
  tag: 'Chats',
  summary: 'List messages of all chats that failed, or wait to be sent',
  description:
    'The newest first. Failed are those whose message says so in its chat (`smsDeliveryStatus`), also emails and those that were refused before they were queued. Waiting are those in the queue: until quiet hours, a hold of the workspace, the pace of a number or a failure of the provider ends.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  query: Type.Object({
    deliveryStatus: OneOf(['waiting', 'failed'], {
      description: 'Those that are yet to be sent, or those that failed',
    }),
    channel: Type.Optional(OneOf(channels, { description: 'Only those in chats of this channel' })),
    failureReason: Type.Optional(
      OneOf(deliveryFailureReasons, { description: 'Only those that failed for this reason' }),
    ),
    ...createdBetween,
    before: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'next of the page before' }),
    ),
    limit: beforeQuery.limit,
  }),
  example: { query: { deliveryStatus: 'failed' } },
  response: { status: 200, schema: OutgoingPage },
  handler: async ({ context, query }) => {
    const { deliveryStatus: state, createdFrom, createdBefore, limit, ...more } = query;
    const created = { createdFrom: timeOf(createdFrom), createdBefore: timeOf(createdBefore) };
    const filter = { state, ...more, ...created };
    const { items, ...rest } = await listOutgoingMessages(context, filter, limit);
    return { items: items.map((message) => present(message, state)), ...rest };
  },
});

function present(message: OutgoingMessage, deliveryStatus: 'waiting' | 'failed') {
  const { uuid: id, chatChannel: channel, notBefore: waitsUntil } = message;
  return { ...message, id, channel, waitsUntil, deliveryStatus };
}

const FailuresResponse = Type.Object(
  {
    timezone: TimezoneOfDays,
    createdFrom: Time({ description: 'When the first day begins, for listOutgoingMessages' }),
    createdBefore: Time({ description: 'When the last day ends' }),
    total: Type.Integer({ minimum: 0, description: 'How many did not arrive' }),
    reasons: Type.Array(
      Type.Object({
        reason: Nullable(
          Type.String({
            description: `Why they failed: one of ${deliveryFailureReasons.join(', ')}; null where it is not known`,
          }),
        ),
        count: Type.Integer({ minimum: 1, description: 'How many failed for this reason' }),
      }),
      { description: 'The most frequent first' },
    ),
  },
  { $id: 'FailedMessagesResponse' },
);

const failures = defineRoute({
  operationId: 'countFailedMessages',
  method: 'GET',
  path: '/w/{workspace_uuid}/messages/stats/failures',
  tag: 'Chats',
  summary: 'Count the messages that did not arrive by reason',
  description:
    'Of all chats, by when the messages were written: by default in the 30 days up to today, at most 92. They are those that listOutgoingMessages lists as failed.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  query: Type.Object(dayRange),
  response: { status: 200, schema: FailuresResponse },
  handler: async ({ context, query }) => countFailedMessages(context, query),
});

export const outgoingRoutes = [list, failures];
