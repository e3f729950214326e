import { type ChatRow, raiseChatVersion } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';

/** Raises the version, so that a reply in progress is dropped; makes no turn pending. The caller holds the row lock. */
export async function supersedeTurn(tx: Tx, chat: ChatRow): Promise<ChatRow> {
  const isOwed = chat.version > chat.handledVersion;
  return raiseChatVersion(tx, chat.id, isOwed ? {} : { handledVersion: chat.version + 1 });
}
