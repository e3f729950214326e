import { type ChatRow, findChat, isParticipant } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import type { Actor } from '../kernel/actor.js';
import { NotFound } from '../lib/errors.js';
import { isWithOrBy } from './own-chat.js';

/**
 * Returns a chat that the actor may read: the actor's own, or any with `chats:read`.
 *
 * @throws NotFound, Forbidden
 */
export async function readableChat(tx: Tx, actor: Actor, chatId: number): Promise<ChatRow> {
  return requireReadable(actor, await findChat(tx, chatId), async ({ id }) =>
    isParticipant(tx, id, actor.memberId),
  );
}

/**
 * `readableChat` for a chat that has already been read.
 *
 * @param takesPart whether the actor is a participant; called only if nothing else grants access
 * @throws NotFound, Forbidden
 */
export async function requireReadable<Chat extends ChatRow>(
  actor: Actor,
  chat: Chat | undefined,
  takesPart: (chat: Chat) => Promise<boolean>,
): Promise<Chat> {
  if (chat === undefined) throw new NotFound('Chat');
  const may = actor.can('chats:read') || isWithOrBy(actor, chat) || (await takesPart(chat));
  if (!may) actor.require('chats:read');
  return chat;
}

/**
 * Whether the actor may see the chat's notes (messages with the role `system`, such as the reason of a handoff). Notes
 * are meant for colleagues, not for the chat's member.
 */
export function seesNotes(actor: Actor, chatMemberId: number): boolean {
  return chatMemberId !== actor.memberId || actor.can('chats:read');
}
