import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type ScheduledMessageState = 'pending' | 'sent' | 'cancelled' | 'failed';

export class ScheduledMessageModel extends tenantTable('scheduled_messages', {
  uuid: column<string>(),
  chatId: column<number>(),
  /** The colleague who wrote it, or last changed its text or files. */
  authorMemberId: column<number>(),
  /** The API key by which it was written; null: a session. Keys that ended long ago have no row. */
  apiKeyId: column<number | null>(),
  message: column<string>('personal'),
  fileIds: json<number[]>('ids'),
  sendAt: column<Date>(),
  /** What its author had seen of the chat: the newest message, and since when it waited for a person. */
  seenMessageId: column<number>(),
  seenWaitingSince: column<Date | null>(),
  state: column<ScheduledMessageState>('code'),
  /** A code of `scheduledMessageFailures`. */
  failureReason: column<string | null>('code'),
  /** When it was sent, cancelled or could not be sent. */
  settledAt: column<Date | null>(),
  /** Null where the service cancelled it. */
  cancelledByMemberId: column<number | null>(),
  /** The message that it became. */
  messageUuid: column<string | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type ScheduledMessageRow = RowOf<ScheduledMessageModel>;
