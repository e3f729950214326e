import { type ChatRow, findChat, isParticipant } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import type { Actor } from '../kernel/actor.js';
import { NotFound } from '../lib/errors.js';
import { isWithOrBy } from './own-chat.js';

/**
 * A chat the actor may read: one's own, or any with CHATS_READ.
 *
 * @throws NotFound, Forbidden
 */
export async function readableChat(tx: Tx, actor: Actor, chatId: number): Promise<ChatRow> {
  return requireReadable(actor, await findChat(tx, chatId), async ({ id }) =>
    isParticipant(tx, id, actor.memberId),
  );
}

/**
 * `readableChat` where the chat was looked up already.
 *
 * @param takesPart whether the actor does; asked where nothing else lets them read it
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
 * Notes (messages with the role `system`, such as why a chat was handed over) are written for those who look after the
 * chat, not for the member it is with.
 */
export function seesNotes(actor: Actor, chatMemberId: number): boolean {
  return chatMemberId !== actor.memberId || actor.can('chats:read');
}
