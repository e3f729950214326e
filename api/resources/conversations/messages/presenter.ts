import type { ShownMessage } from '../../../../db/conversations/message-pages.js';
import type { MessageFile } from '../../../../db/conversations/messages.js';
import type { MessageFileResponse, MessagePage, OpenAIMessageResponse } from './schemas.js';

export function presentMessages(
  found: { messages: readonly ShownMessage[]; total?: number },
  { limit, offset }: { limit: number; offset: number },
): OpenAIMessageResponse[] | MessagePage {
  const messages = found.messages.map(presentMessage);
  if (found.total === undefined) return messages;
  return {
    messages,
    total: found.total,
    totalCount: found.total,
    page: Math.floor(offset / limit) + 1,
    pageSize: limit,
    totalPages: Math.ceil(found.total / limit),
  };
}

/** Lists are long, and a copy of the whole row would cost more than writing the message. */
export function presentMessage(row: ShownMessage): OpenAIMessageResponse {
  const { files, suggestions } = row;
  return {
    id: row.uuid,
    role: row.role === 'tool' ? 'system' : row.role,
    author: row.author,
    content: row.content,
    files: files.length === 0 ? undefined : files.map(presentFileOfMessage),
    originalContent: row.originalContent ?? undefined,
    truncationReason: row.truncationReason,
    truncatedAtMs: row.truncatedAtMs,
    tool_calls: row.toolCalls,
    tool_call_id: row.toolCallId,
    suggestions: suggestions.length === 0 ? undefined : suggestions,
    created_at: row.createdAt,
    email_id: row.emailId,
    inbox_id: row.inboxId,
    tokenUsage: row.tokenUsage as OpenAIMessageResponse['tokenUsage'],
    memberId: row.memberId,
    taskId: row.taskId,
    smsDeliveryStatus: row.smsDeliveryStatus,
    smsDeliveryErrorCode: row.smsDeliveryErrorCode,
    smsDeliveryUpdatedAt: row.smsDeliveryUpdatedAt,
    smsDeliveryFailureReason: row.smsDeliveryFailureReason,
    audioFileUuid: row.audioFileUuid,
    audioMetadata: row.audioMetadata,
    userRating: row.userRating,
    userRatingComment: row.userRatingComment,
  };
}

function presentFileOfMessage(file: MessageFile): MessageFileResponse {
  if (file.status === 'awaited') return file;
  if (file.status === 'failed') return { status: 'failed', failureReason: file.reason };
  return { ...file, id: file.fileId, uuid: file.fileUuid };
}
