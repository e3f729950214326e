import type { Tx } from '../../db/database.js';
import { type ChatRow, insertChat, insertParticipants, type NewChat } from '../../db/queries/chats.js';
import { chatCreatedEvent } from '../events/chat-events.js';
import { writeEvents } from '../events/write-events.js';

/** Stores a chat and all that belongs to a new one: whoever starts one calls this, or `completeChat`. */
export async function openChat(
  tx: Tx,
  chat: NewChat,
  now: Date,
  others: ReadonlyMap<number, string> = new Map(),
): Promise<ChatRow> {
  const stored = await insertChat(tx, chat);
  await completeChat(tx, stored, now, others);
  return stored;
}

/**
 * Stores what belongs to a chat that was just stored, for who asks for more together with it: its participants (the
 * member, the assistant if one answers, and whoever else is named), and the event that tells of it.
 */
export async function completeChat(
  tx: Tx,
  stored: ChatRow,
  now: Date,
  others: ReadonlyMap<number, string> = new Map(),
): Promise<void> {
  const participants = new Map([[stored.memberId, 'user']]);
  if (stored.assistantEnabled && stored.assistantMemberId !== null) {
    participants.set(stored.assistantMemberId, 'assistant');
  }
  for (const [memberId, role] of others) participants.set(memberId, role);
  await Promise.all([
    insertParticipants(
      tx,
      [...participants].map(([memberId, role]) => ({ chatId: stored.id, memberId, role })),
    ),
    writeEvents(tx, [chatCreatedEvent(stored)], now),
  ]);
}
