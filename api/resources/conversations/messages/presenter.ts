import type { MessageFile, MessageRow } from '../../../../db/conversations/messages.js';
import { omitNullish } from '../../../http/omit-nullish.js';
import type { MessageFileResponse, MessagePage, OpenAIMessageResponse } from './schemas.js';

export function presentMessages(
  found: { messages: readonly MessageRow[]; total?: number },
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

export function presentMessage(row: MessageRow): OpenAIMessageResponse {
  return {
    id: row.uuid,
    role: row.role === 'tool' ? 'system' : row.role,
    content: row.content,
    tool_calls: row.toolCalls,
    created_at: row.createdAt.toISOString(),
    ...(row.files.length === 0 ? {} : { files: row.files.map(presentFileOfMessage) }),
    ...omitNullish({
      author: row.author,
      originalContent: row.originalContent,
      truncationReason: row.truncationReason,
      truncatedAtMs: row.truncatedAtMs,
      tool_call_id: row.toolCallId,
      suggestions: row.suggestions.length === 0 ? null : row.suggestions,
      email_id: row.emailId,
      inbox_id: row.inboxId,
      tokenUsage: row.tokenUsage as OpenAIMessageResponse['tokenUsage'] | null,
      memberId: row.memberId,
      taskId: row.taskId,
      smsDeliveryStatus: row.smsDeliveryStatus,
      smsDeliveryErrorCode: row.smsDeliveryErrorCode,
      smsDeliveryUpdatedAt: row.smsDeliveryUpdatedAt?.toISOString() ?? null,
      smsDeliveryFailureReason: row.smsDeliveryFailureReason,
      audioFileUuid: row.audioFileUuid,
      audioMetadata: row.audioMetadata,
      userRating: row.userRating,
      userRatingComment: row.userRatingComment,
    }),
  };
}

function presentFileOfMessage(file: MessageFile): MessageFileResponse {
  if (file.status === 'awaited') return { status: 'awaited' };
  if (file.status === 'failed') return { status: 'failed', failureReason: file.reason };
  const { status, fileId, fileUuid, filename, mimeType, fileSize } = file;
  return { status, id: fileId, uuid: fileUuid, filename, mimeType, fileSize };
}
