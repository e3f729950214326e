import { type ChatRow, patchChat } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';
import { withdrawApproval } from '../../chat-state/approvals.js';
import { paused } from '../../chat-state/pause.js';
import { optOutUnclear } from '../../kernel/alert-colleague.js';

/**
 * Has the agent say nothing in a chat, and nothing begun by agents and tasks be sent to its member, until a colleague resumes
 * it: the member may have said that it wants no more. The caller holds the chat's row lock.
 */
export async function holdForOptOut(tx: Tx, chat: ChatRow, now: Date): Promise<ChatRow> {
  const free = await withdrawApproval(tx, chat, now);
  return patchChat(
    tx,
    chat.id,
    free.paused ? { pausedReason: optOutUnclear } : paused(null, optOutUnclear, now),
  );
}
