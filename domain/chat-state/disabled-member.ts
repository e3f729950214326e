import { type ChatRow, findChat, selectLiveChatIds } from '../../db/conversations/chats.js';
import { isMemberDisabled } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { alertColleague } from '../kernel/alert-colleague.js';
import { pokeChatRun } from '../kernel/runs.js';

/**
 * Returns the chat if its member, or the member's account, is disabled, which stops all automatic actions in it: a due
 * turn remains pending, and a colleague is alerted. The caller holds the chat's row lock.
 */
export async function restWhileDisabled(tx: Tx, chat: ChatRow): Promise<ChatRow | undefined> {
  if (!(await isMemberDisabled(tx, chat.memberId))) return undefined;
  const isTold = chat.needsResponseReason === 'member_disabled';
  return agentIsDue(chat) && !isTold ? alertColleague(tx, chat, 'member_disabled') : chat;
}

/** Pokes the runs of a member's chats, in the transaction that enables the member. */
export async function wakeChatsOf(tx: Tx, memberId: number): Promise<void> {
  for (const chatId of await selectLiveChatIds(tx, memberId)) {
    const chat = await findChat(tx, chatId);
    if (chat !== undefined) await pokeChatRun(tx, chat);
  }
}
