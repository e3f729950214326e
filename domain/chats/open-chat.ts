import type { Tx } from '../../db/database.js';
import { type ChatRow, insertChat, insertParticipants, type NewChat } from '../../db/queries/chats.js';

/** Stores a chat with its participants: the member, the assistant if one answers, and whoever else is named. */
export async function openChat(
  tx: Tx,
  chat: NewChat,
  others: ReadonlyMap<number, string> = new Map(),
): Promise<ChatRow> {
  const stored = await insertChat(tx, chat);
  await joinChat(tx, stored, others);
  return stored;
}

/** Stores a chat's participants. */
export async function joinChat(
  tx: Tx,
  stored: ChatRow,
  others: ReadonlyMap<number, string> = new Map(),
): Promise<void> {
  const participants = new Map([[stored.memberId, 'user']]);
  if (stored.assistantEnabled && stored.assistantMemberId !== null) {
    participants.set(stored.assistantMemberId, 'assistant');
  }
  for (const [memberId, role] of others) participants.set(memberId, role);
  await insertParticipants(
    tx,
    [...participants].map(([memberId, role]) => ({ chatId: stored.id, memberId, role })),
  );
}
