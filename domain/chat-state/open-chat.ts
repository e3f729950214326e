import { type ChatParticipantDetails, insertParticipants } from '../../db/conversations/chat-details.js';
import { type ChatRow, insertChat, type NewChat } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import { chatCreatedEvent } from '../events/events/chat-events.js';
import { writeEvents } from '../events/events/write-events.js';

/** A chat that was just stored, as it was then. */
export interface OpenedChat {
  chat: ChatRow;
  participants: ChatParticipantDetails[];
}

/**
 * Stores a chat and all that belongs to a new one: its participants (the member, the assistant if one answers, and
 * whoever else is named), and the event that tells of it. With an id that was reserved, together with what the caller
 * asks for in the same turn.
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

/** The roles of those who take part. An assistant answers unless the chat is to have none. */
function participantsOf(
  { memberId, assistantMemberId, assistantEnabled = true }: NewChat,
  others: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const participants = new Map([[memberId, 'user']]);
  if (assistantEnabled && assistantMemberId) participants.set(assistantMemberId, 'assistant');
  for (const [otherId, role] of others) participants.set(otherId, role);
  return participants;
}
