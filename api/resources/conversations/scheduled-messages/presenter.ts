import type { ScheduledMessageRow } from '../../../../db/conversations/scheduled-messages.js';
import { failureOf } from '../../../../domain/conversations/scheduled-messages/failures.js';
import type { ScheduledMessageResponse } from './schemas.js';

export function presentScheduledMessage(row: ScheduledMessageRow): ScheduledMessageResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    chatId: row.chatId,
    status: row.state,
    sendAt: row.sendAt.toISOString(),
    message: row.message,
    files: row.fileIds,
    memberId: row.authorMemberId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    cancelledByMemberId: row.cancelledByMemberId,
    messageId: row.messageUuid,
    ...(row.failureReason === null ? {} : { failureReason: failureOf(row.failureReason) }),
  };
}
