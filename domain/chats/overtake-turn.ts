import type { Tx } from '../../db/database.js';
import { type ChatRow, raiseChatVersion, updateChat } from '../../db/queries/chats.js';

/**
 * Raises the version, so that a text the agent is writing is dropped, without owing the chat an answer that it was
 * not owed before.
 */
export async function overtakeTurn(tx: Tx, chat: ChatRow): Promise<ChatRow> {
  const raised = await raiseChatVersion(tx, chat.id);
  if (chat.version > chat.handledVersion) return raised;
  return updateChat(tx, chat.id, { handledVersion: raised.version });
}
