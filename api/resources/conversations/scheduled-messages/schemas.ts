import Type from 'typebox';
import { scheduledMessageFailures } from '../../../../domain/conversations/scheduled-messages/failures.js';
import {
  AnyOf,
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
import { FilesOfMessage, maxText } from '../messages/schemas.js';

const statuses = ['pending', 'sent', 'cancelled', 'failed'] as const;

export const SendAt = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'When the message is sent: in the future, within a year',
});

export const ScheduledMessageResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    chatId: Type.Integer({ ...Id, description: 'The chat in which it is sent' }),
    status: OneOf(statuses, {
      description: 'pending until it is sent, cancelled, or at its time cannot be sent (failed)',
    }),
    sendAt: Time({ description: 'When it is sent' }),
    message: Type.String({ description: 'The text for the member' }),
    files: Type.Array(Id, { description: 'Ids of the files that are sent with it' }),
    memberId: Type.Integer({
      ...Id,
      description: 'The colleague who wrote it, or last changed its text or files',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    settledAt: Nullable(Time({ description: 'When it was sent, cancelled or could not be sent' })),
    cancelledByMemberId: Nullable(
      Type.Integer({
        minimum: 1,
        description:
          'Who cancelled it; null if the service did, because the member was deleted or an operator ended its run',
      }),
    ),
    messageId: Nullable(
      Type.String({
        format: 'uuid',
        description: 'Id of the message that was sent, as in the list of messages',
      }),
    ),
    failureReason: Type.Optional(
      OneOf(scheduledMessageFailures, {
        description:
          'Why it could not be sent: author_not_allowed (its author may not send as the assistant any more), file_unavailable (a file was deleted, or its author may not read it any more), message_refused, or a code of messages that cannot be delivered',
      }),
    ),
  },
  { $id: 'ScheduledMessageResponse' },
);

export const ScheduledMessagePage = Page(ScheduledMessageResponse);

export const ListScheduledMessagesQuery = PageQuery(['sendAt', 'createdAt'], {
  status: Type.Optional(AnyOf(OneOf(statuses))),
});

export const UpdateScheduledMessageRequest = Type.Object(
  {
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxText, description: 'The text for the member' }),
    ),
    files: Type.Optional(
      Type.Array(Id, {
        ...FilesOfMessage,
        description:
          'The complete list of files, which the caller may read. Needs the scope files:read, as a change of the text of a message with files does',
      }),
    ),
    sendAt: Type.Optional(SendAt),
  },
  { $id: 'UpdateScheduledMessageRequest', description: 'Omitted fields keep their values.' },
);
