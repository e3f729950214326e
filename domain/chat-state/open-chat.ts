import { type ChatParticipantDetails, insertParticipants } from '../../db/conversations/chat-details.js';
import { type ChatRow, insertChat, type NewChat } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';
import { chatCreatedEvent } from '../kernel/events/chat-events.js';
import { writeEvents } from '../kernel/events/write-events.js';

export interface OpenedChat {
  chat: ChatRow;
  participants: ChatParticipantDetails[];
}

/**
 * Stores a new chat with its participants and its `chat:created` event. With a reserved `chat.id`, the participants are
 * inserted without waiting for the chat's row, in one round trip with the statements that the caller sends meanwhile.
 */
export async function openChat(
  tx: Tx,
  chat: NewChat,
  now: Date,
  others: ReadonlyMap<number, string> = new Map(),
): Promise<OpenedChat> {
  const storing = insertChat(tx, chat);
  const id = chat.id ?? (await storing).id;
  const [stored, participants] = await Promise.all([
    storing,
    insertParticipants(tx, id, participantsOf(chat, others)),
    storing.then((row) => writeEvents(tx, [chatCreatedEvent(row)], now)),
  ]);
  return { chat: stored, participants };
}

/** Returns the participants with their roles. The assistant takes part unless it is disabled for the chat. */
function participantsOf(
  { memberId, assistantMemberId, assistantEnabled = true }: NewChat,
  others: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const participants = new Map([[memberId, 'user']]);
  if (assistantEnabled && assistantMemberId) participants.set(assistantMemberId, 'assistant');
  for (const [otherId, role] of others) participants.set(otherId, role);
  return participants;
}
