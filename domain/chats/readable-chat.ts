import type { Tx } from '../../db/database.js';
import { type ChatRow, findChat } from '../../db/queries/chats.js';
import type { Actor } from '../actor.js';
import { NotFound } from '../errors.js';
import { isOwnChat } from './own-chat.js';

/**
 * A chat the actor may read: one's own, or any with CHATS_READ.
 *
 * @throws NotFound, Forbidden
 */
export async function readableChat(tx: Tx, actor: Actor, chatId: number): Promise<ChatRow> {
  const chat = await findChat(tx, chatId);
  if (chat === undefined) throw new NotFound('Chat');
  if (!actor.can('chats:read') && !(await isOwnChat(tx, actor, chat))) actor.require('chats:read');
  return chat;
}

/**
 * Notes (messages with the role `system`, such as why a chat was handed over) are written for those who look after the
 * chat, not for the member it is with.
 */
export function seesNotes(actor: Actor, chatMemberId: number): boolean {
  return chatMemberId !== actor.memberId || actor.can('chats:read');
}
