import { countFiredFollowUps } from '../../db/agent/agent-ledger.js';
import { type ChatRow, raiseChatVersion } from '../../db/conversations/chats.js';
import {
  cancelFollowUps,
  markFollowUpFired,
  selectPendingFollowUps,
} from '../../db/conversations/follow-ups.js';
import { insertMessage } from '../../db/conversations/messages.js';
import type { Tx } from '../../db/tx.js';
import { type AgentBudgets, isReached } from '../kernel/agent-budgets.js';
import { alertColleague } from '../kernel/alert-colleague.js';

/**
 * Fires due follow-ups: each becomes a note in the chat and makes a turn of the agent due. If too many have fired in a
 * row without a message of a person, cancels the rest and alerts a colleague. `nextDueAt` is when the next one is due.
 */
export async function fireFollowUps(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  budgets: AgentBudgets,
): Promise<{ chat: ChatRow; fired: boolean; nextDueAt?: Date }> {
  let current = chat;
  let fired = false;
  for (const followUp of await selectPendingFollowUps(tx, chat.id)) {
    if (followUp.dueAt > now) return { chat: current, fired, nextDueAt: followUp.dueAt };
    const firedInRow = await countFiredFollowUps(tx, chat.id, chat.attendedAt ?? new Date(0));
    if (isReached(firedInRow, budgets.unattendedFollowUps)) {
      await cancelFollowUps(tx, chat.id, now);
      return { chat: await alertColleague(tx, current, 'follow_up_budget'), fired };
    }
    await markFollowUpFired(tx, followUp.id, now);
    const content = `A follow-up is due: ${followUp.instructions}`;
    await insertMessage(tx, { chatId: chat.id, role: 'system', author: 'system', content });
    current = await raiseChatVersion(tx, chat.id);
    fired = true;
  }
  return { chat: current, fired };
}
