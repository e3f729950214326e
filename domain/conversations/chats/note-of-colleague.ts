import { insertMessage, type MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';

/** Stores what a colleague writes for others and for the agent, who reads it with its next turn; the member does not see it. */
export function noteOfColleague(
  tx: Tx,
  chatId: number,
  memberId: number,
  content: string,
): Promise<MessageRow> {
  return insertMessage(tx, { chatId, role: 'system', author: 'person', memberId, content });
}
