import type { Tx } from '../../db/database.js';
import { type ChatRow, raiseChatVersion } from '../../db/queries/chats.js';
import { listPendingFollowUps, markFollowUpFired } from '../../db/queries/follow-ups.js';
import { insertMessage } from '../../db/queries/messages.js';

/**
 * Follow-ups that are due become notes to the agent, which calls for its turn. Returns the chat as it is then and
 * when the next one is due.
 */
export async function fireFollowUps(
  tx: Tx,
  chat: ChatRow,
  now: Date,
): Promise<{ chat: ChatRow; fired: boolean; nextDueAt?: Date }> {
  let current = chat;
  let fired = false;
  for (const followUp of await listPendingFollowUps(tx, chat.id)) {
    if (followUp.dueAt > now) return { chat: current, fired, nextDueAt: followUp.dueAt };
    await markFollowUpFired(tx, followUp.id, now);
    await insertMessage(tx, {
      chatId: chat.id,
      role: 'system',
      content: `A follow-up is due: ${followUp.instructions}`,
    });
    current = await raiseChatVersion(tx, chat.id);
    fired = true;
  }
  return { chat: current, fired };
}
