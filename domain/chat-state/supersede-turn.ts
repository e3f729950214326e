import { type ChatRow, raiseChatVersion } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';

/**
 * Raises the chat's version, so that a reply in progress is dropped. Does not make a turn pending that was not pending
 * before. The caller holds the chat's row lock and passes the current row.
 */
export async function supersedeTurn(tx: Tx, chat: ChatRow): Promise<ChatRow> {
  const isOwed = chat.version > chat.handledVersion;
  return raiseChatVersion(tx, chat.id, isOwed ? {} : { handledVersion: chat.version + 1 });
}
