import type { ChatLabelRow } from '../../../../db/conversations/chat-labels.js';
import type { ChatLabelResponse } from './schemas.js';

export function presentChatLabel(row: ChatLabelRow): ChatLabelResponse {
  const { id, uuid, name, slug, color, description } = row;
  return { id, uuid, name, slug, color, description };
}
