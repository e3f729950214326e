import { type ChatRow, raiseChatVersion } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';

/**
 * Raises the version, so that a text the agent is writing is dropped, without owing the chat an answer that it was
 * not owed before. The caller holds the chat's lock, and gives the row as it is.
 */
export async function supersedeTurn(tx: Tx, chat: ChatRow): Promise<ChatRow> {
  const isOwed = chat.version > chat.handledVersion;
  return raiseChatVersion(tx, chat.id, isOwed ? {} : { handledVersion: chat.version + 1 });
}
