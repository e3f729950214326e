import Type from 'typebox';
import {
  type AnswerOf,
  AnyOf,
  createdBetween,
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Timestamp,
} from '../../../http/schemas.js';
import { BaseAssistantResponse } from '../../conversations/assistants/schemas.js';
import { WorkspaceMemberResponse } from '../../people/members/schemas.js';

const statuses = [
  'pending',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'failed',
  'canceled',
] as const;

/** What readers of a chat follow while the call goes on. */
const state = {
  id: Id,
  status: OneOf(statuses, {
    description:
      'pending, ringing and in-progress (answered) lead to any later one, and to one of the others, in which a call stays: how it ended for the carrier, or canceled if it was never dialled',
  }),
  inbound: Type.Boolean(),
  createdAt: Timestamp,
  startedAt: Type.Optional({ ...Timestamp, description: 'When it was answered' }),
  finishedAt: Type.Optional(Timestamp),
  terminationReason: Nullable(
    Type.String({
      description:
        'The outcome: hangup (the agent ended it, or a colleague hung up), forward, handoff, completed (the other side hung up), voice_disabled, anonymous_rejected, blocked_outbound_safety, voicemail or amd_unknown. null: it goes on, or came to none',
    }),
  ),
  carrierStatus: Type.Optional(
    OneOf(['completed', 'busy', 'no-answer', 'failed', 'canceled'], {
      description: 'How it ended for the carrier; with the outcome forward, how the transfer ended',
    }),
  ),
  failureDetail: Type.Optional(
    Type.String({
      description:
        'connection_reset, stream_reset, never_connected, timeout, bridge_call_create_failed, bridge_call_create_missing_sid, a code that begins with fax_, or error',
    }),
  ),
  blockedReason: Type.Optional(
    Type.String({
      description:
        'Why the safety gate refused to dial: opted_out, notifications_disabled, member_disabled, member_deleted, quiet_hours, daily_attempts, workspace_daily_cap, call_in_progress, country_not_allowed, premium_number, number_of_service or credit_budget. closed: an incoming call outside of the business hours',
    }),
  ),
  transferBlockedReason: Type.Optional(
    Type.String({
      description:
        'Why the safety gate refused the latest transfer that it refused, so that nothing was dialled and the call went on: country_not_allowed, premium_number, number_of_service, opted_out, transfers_at_once, daily_attempts, daily_minutes or credit_budget',
    }),
  ),
  durationSeconds: Type.Optional(
    Type.Integer({ minimum: 0, description: 'From the answer to the end, as the carrier measures it' }),
  ),
};

export const CallStateResponse = Picked(state, { $id: 'CallStateResponse' });

export const PhoneCallResponse = Picked(
  {
    ...state,
    phoneNumberId: { ...Id, description: 'The phone number of the workspace' },
    twilioCallId: Type.String({ description: "The carrier's id of the call; empty before it was dialled" }),
    chatId: Type.Optional({ ...Id, description: 'Absent: an incoming call that was refused' }),
    member: Type.Optional(WorkspaceMemberResponse),
    agent: Type.Optional(BaseAssistantResponse),
    hungUpAt: Type.Optional({ ...Timestamp, description: 'When a colleague hung up' }),
    hungUpByMemberId: Type.Optional({
      ...Id,
      description: 'The colleague who hung up',
    }),
    credits: Type.Number({ description: 'What the models have cost that spoke in it' }),
    price: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'What the carrier charges, once it has billed the call; with the permission workspace:read',
      }),
    ),
    priceUnit: Type.Optional(Type.String({ description: 'The currency of price (ISO 4217)' })),
    costDifference: Type.Optional(
      Type.Number({
        description:
          'price minus what the call should cost by the prices that the operator has configured; absent where there are none for it',
      }),
    ),
    durationDifference: Type.Optional(
      Type.Integer({
        description:
          'durationSeconds minus what the service has measured, in seconds; with the permission workspace:read',
      }),
    ),
    workflowId: Nullable(
      Type.Integer({
        minimum: 1,
        description: "The workflow of the chat's assignment; null: no chat, or no assignment",
      }),
    ),
    identityProvedAt: Type.Optional({
      ...Timestamp,
      description: 'When the caller has proved who they are; absent: nobody has',
    }),
    recordingNotice: Type.Optional(
      Type.Object(
        {
          text: Type.String({ description: 'What was said, and asked' }),
          consent: OneOf(['told', 'asked', 'agreed', 'refused', 'unanswered', 'machine'], {
            description:
              'told: the words were to be heard, and the call went on. asked: the answer is awaited. agreed, refused, unanswered: the answer. machine: a machine has heard the words, and what was recorded is deleted. Only calls that are told or agreed are recorded',
          }),
          at: Type.Optional({
            ...Timestamp,
            description: 'When the words had been said, or the question was answered',
          }),
        },
        { description: 'What the other side was told before a recording. Absent: nothing was recorded' },
      ),
    ),
  },
  { $id: 'PhoneCallResponse' },
);
export type PhoneCallResponse = AnswerOf<typeof PhoneCallResponse>;

export const PhoneCallPage = Page(PhoneCallResponse);

export const PhoneCallsOfChat = Type.Array(PhoneCallResponse, { maxItems: 1_000 });

export const ListPhoneCallsQuery = PageQuery(
  ['createdAt', 'startedAt', 'finishedAt'],
  {
    chatId: Type.Optional(Id),
    memberId: Type.Optional(Id),
    phoneNumberId: Type.Optional(Id),
    inbound: Type.Optional(Type.Boolean()),
    status: Type.Optional(AnyOf(OneOf(statuses))),
    ...createdBetween,
  },
  'desc',
);
