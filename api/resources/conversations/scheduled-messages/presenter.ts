import type { ScheduledMessageRow } from '../../../../db/conversations/scheduled-messages.js';
import { failureOf } from '../../../../domain/conversations/scheduled-messages/failures.js';

export function presentScheduledMessage(row: ScheduledMessageRow) {
  const { state: status, fileIds: files, authorMemberId: memberId, messageUuid: messageId } = row;
  const failureReason = row.failureReason === null ? null : failureOf(row.failureReason);
  return { ...row, status, files, memberId, messageId, failureReason };
}
