import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Purpose } from './gate.js';

/** For how long what is said in a chat answers what the member wrote last. */
const replyWithinMs = 24 * 3_600_000;

/** Whether something said in a chat at this moment is a reply to the member, or begun by us. */
export function purposeIn(chat: ChatRow, now: Date): Extract<Purpose, 'reply' | 'agent_initiated'> {
  const received = chat.lastMessageReceivedAt;
  const isReply = received !== null && now.getTime() - received.getTime() < replyWithinMs;
  return isReply ? 'reply' : 'agent_initiated';
}
