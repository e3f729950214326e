import type { MessageRow } from '../../../db/queries/messages.js';
import { whereThereIs } from '../../http/where-there-is.js';
import type { OpenAIMessageResponse } from './schemas.js';

export function presentMessage(row: MessageRow): OpenAIMessageResponse {
  return {
    id: row.uuid,
    role: row.role === 'tool' ? 'system' : row.role,
    content: row.content,
    tool_calls: row.toolCalls,
    created_at: row.createdAt.toISOString(),
    ...whereThereIs({
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
      userRating: row.userRating,
      userRatingComment: row.userRatingComment,
    }),
  };
}
