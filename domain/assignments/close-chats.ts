import { findAssignmentOfChat } from '../../db/assignments/assignments.js';
import { type ChatRow, lockChat, raiseChatVersion, selectLiveChatIds } from '../../db/conversations/chats.js';
import { cancelFollowUps } from '../../db/conversations/follow-ups.js';
import { cancelPendingMessages } from '../../db/conversations/scheduled-messages.js';
import type { Tx } from '../../db/tx.js';
import { withdrawApproval } from '../chat-state/approvals.js';
import { paused } from '../chat-state/pause.js';
import { noPersonNeeded } from '../kernel/alert-colleague.js';
import { chatClosedEvent } from '../kernel/events/chat-events.js';
import { writeEvents } from '../kernel/events/write-events.js';
import { pokeScheduledMessageRun } from '../kernel/runs.js';
import { conclude } from './machine/conclude.js';
import { lockMachine } from './machine/machine.js';

const closedReason = 'member_deleted';

/** Closes all chats of a member, in the transaction that deletes the member. */
export async function closeChatsOf(tx: Tx, memberId: number, now: Date): Promise<void> {
  for (const chatId of await selectLiveChatIds(tx, memberId)) {
    const chat = await lockChat(tx, chatId);
    if (chat !== undefined) await closeChat(tx, chat, now);
  }
}

/**
 * Ends everything in a chat whose member was deleted; it remains readable. The caller holds the chat's row lock.
 * @param ofRun whether the run of the chat's assignment takes this step
 */
export async function closeChat(tx: Tx, chat: ChatRow, now: Date, ofRun = false): Promise<void> {
  if (!chat.archived && chat.pausedReason !== closedReason) {
    await writeEvents(tx, [chatClosedEvent(chat, closedReason)], now);
  }
  await withdrawApproval(tx, chat, now);
  await raiseChatVersion(tx, chat.id, {
    handledVersion: chat.version + 1,
    ...noPersonNeeded,
    ...paused(null, closedReason, chat.pausedAt ?? now),
  });
  await cancelFollowUps(tx, chat.id, now);
  for (const scheduled of await cancelPendingMessages(tx, chat.id, now)) {
    await pokeScheduledMessageRun(tx, chat, scheduled);
  }
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status !== 'active') return;
  const machine = await lockMachine(tx, assignment.id, now, ofRun);
  if (machine === undefined) return;
  const conclusion = { status: 'cancelled', outcome: closedReason } as const;
  await conclude(machine, conclusion, { by: 'automatic', inTurn: false });
}
