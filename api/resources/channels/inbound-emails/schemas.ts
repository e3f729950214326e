import Type from 'typebox';
import { inboundEmailStates } from '../../../../db/channels/inbound-emails.js';
import {
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Time,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';

export const InboundEmailResponse = Picked(
  {
    id: Id,
    uuid: Type.String({ ...Uuid, description: 'The run that receives the mail is `inbound-email-<uuid>`' }),
    inboxId: Type.Integer({ description: 'The inbox to which it was handed in' }),
    state: OneOf(inboundEmailStates, {
      description:
        '`received`: not looked at yet; `chat`: it is a message of a chat; `report`: it said what became of a message; `held`: for a person; `noted`: kept, without effect',
    }),
    reason: Nullable(Type.String({ description: 'Why, or how, as a code (docs/email.md)' })),
    needsResponse: Type.Boolean({ description: 'A person has to look at the mail, and nobody has yet' }),
    from: Nullable(
      Type.String({
        description: 'The address of the sender as the mail says; proved by nothing unless `senderProved`',
      }),
    ),
    senderProved: Type.Boolean({ description: 'The receiving server vouches for the domain of the sender' }),
    subject: Nullable(Type.String({ description: 'At most 200 characters; null until it was read' })),
    size: Type.Integer({ description: 'Of the raw message, in bytes' }),
    hasRaw: Type.Boolean({ description: 'The raw message is kept, and can be read' }),
    chatId: Nullable(Type.Integer({ description: 'The chat that the mail is in, or about' })),
    receivedAt: Time({ ...Timestamp, description: 'When the mail was handed in' }),
    settledAt: Nullable({ ...Timestamp, description: 'When it was decided what becomes of the mail' }),
    resolvedAt: Nullable({ ...Timestamp, description: 'When somebody took it from the queue' }),
    resolvedByMemberId: Nullable(Type.Integer({ description: 'Who took it from the queue' })),
  },
  { $id: 'InboundEmailResponse' },
);

export const InboundEmailPage = Page(InboundEmailResponse);

export const ListInboundEmailsQuery = PageQuery(
  ['receivedAt'],
  {
    inboxId: Type.Optional(Type.Integer({ minimum: 1, description: 'Only mails to this inbox' })),
    state: Type.Optional(OneOf(inboundEmailStates, { description: 'Only mails of this state' })),
    needsResponse: Type.Optional(
      Type.Boolean({ description: 'Only mails that wait for a person, or only others' }),
    ),
  },
  'desc',
);
