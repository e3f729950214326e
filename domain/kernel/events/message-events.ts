import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import { eventChatOf } from './chat-events.js';
import type { EventMessage } from './payloads.js';
import type { NewEvent } from './write-events.js';

type SentBy = DeliveryRow['channel'] | 'web-chat';

/** The event for what somebody wrote in a chat: without what it says. */
export function messageReceivedEvent(chat: ChatRow, message: MessageRow): NewEvent {
  const payload = { chat: eventChatOf(chat), message: eventMessageOf(message) };
  return { eventType: 'message:received', payload };
}

/** The event for a message that its provider has taken, or that stands where the member reads it. */
export function messageSentEvent(chat: ChatRow, message: MessageRow, channel: SentBy): NewEvent {
  const payload = { chat: eventChatOf(chat), message: eventMessageOf(message), channel };
  return { eventType: 'message:sent', payload };
}

/** The event for a message that could not be sent, or did not arrive. */
export function messageFailedEvent(
  chat: ChatRow,
  message: MessageRow,
  channel: SentBy,
  { failureReason, errorCode = null }: { failureReason: string; errorCode?: string | null },
): NewEvent {
  const payload = { chat: eventChatOf(chat), message: eventMessageOf(message), channel };
  return { eventType: 'message:failed', payload: { ...payload, failureReason, errorCode } };
}

function eventMessageOf({ role, author, files, createdAt, ...row }: MessageRow): EventMessage {
  return {
    id: row.id,
    uuid: row.uuid,
    role: role === 'user' ? 'user' : 'assistant',
    author,
    memberId: row.memberId,
    fileCount: files.length,
    smsKeyword: row.smsKeyword,
    createdAt: createdAt.toISOString(),
  };
}
