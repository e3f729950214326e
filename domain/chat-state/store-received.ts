import type { ChatRow } from '../../db/conversations/chats.js';
import { insertMessage, type MessageRow, type NewMessage } from '../../db/conversations/messages.js';
import type { Tx } from '../../db/tx.js';
import { messageReceivedEvent } from '../kernel/events/message-events.js';
import { writeEvents } from '../kernel/events/write-events.js';

/** What a member sent longer ago is shown to a person: an answer of the agent would be out of place. */
export const answeredForMs = 4 * 3_600_000;

/** Stores what somebody wrote in a chat, and writes its event: the only place that does. */
export async function storeReceived(
  tx: Tx,
  chat: ChatRow,
  message: Omit<NewMessage, 'chatId' | 'role'>,
  now: Date,
): Promise<MessageRow> {
  const stored = await insertMessage(tx, { ...message, chatId: chat.id, role: 'user' });
  await writeEvents(tx, [messageReceivedEvent(chat, stored)], now);
  return stored;
}
