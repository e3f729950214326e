import { type ChatRow, findChat, listLiveChatIds } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import { isMemberDisabled } from '../../db/people/disabled-members.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { callPerson } from '../kernel/call-person.js';
import { pokeChatRun } from '../kernel/runs.js';

/**
 * The chat, where its member or the account behind it is disabled: nothing happens in it by itself. A turn that is owed
 * stays owed, and a person is called. Undefined where the chat goes on. The chat's row is locked by the caller.
 */
export async function restWhileDisabled(tx: Tx, chat: ChatRow): Promise<ChatRow | undefined> {
  if (!(await isMemberDisabled(tx, chat.memberId))) return undefined;
  const isTold = chat.needsResponseReason === 'member_disabled';
  return agentIsDue(chat) && !isTold ? callPerson(tx, chat, 'member_disabled') : chat;
}

/** After a member was enabled, in that transaction: its chats go on where they stood. */
export async function wakeChatsOf(tx: Tx, memberId: number): Promise<void> {
  for (const chatId of await listLiveChatIds(tx, memberId)) {
    const chat = await findChat(tx, chatId);
    if (chat !== undefined) await pokeChatRun(tx, chat);
  }
}
