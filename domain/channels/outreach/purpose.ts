import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Purpose } from './gate.js';

/** How long after the member's last message a message in the chat counts as a reply. */
const replyWithinMs = 24 * 3_600_000;

/** Whether a message sent in the chat now is a reply to the member or initiated by the service. */
export function purposeIn(chat: ChatRow, now: Date): Extract<Purpose, 'reply' | 'agent_initiated'> {
  const received = chat.lastMessageReceivedAt;
  const isReply = received !== null && now.getTime() - received.getTime() < replyWithinMs;
  return isReply ? 'reply' : 'agent_initiated';
}
