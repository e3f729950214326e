import type { MessageRow } from '../../../../db/conversations/messages.js';
import { messageText } from '../../../../domain/channels/message-text.js';
import type { SendAssistantMessageResponse } from './schemas.js';

/** Presents a message that was sent as the assistant. */
export function presentSent({ id, uuid, content, createdAt }: MessageRow): SendAssistantMessageResponse {
  const timestamp = createdAt.toISOString();
  return {
    success: true,
    message: { id, uuid, role: 'assistant', content: messageText(content), timestamp },
  };
}
