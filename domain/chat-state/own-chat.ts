import { type ChatRow, isParticipant } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import type { Actor } from '../kernel/actor.js';

/** Whether a chat is the actor's own: it is with them, they created it (its owner), or they take part in it. */
export async function isOwnChat(tx: Tx, actor: Actor, chat: ChatRow): Promise<boolean> {
  return isWithOrBy(actor, chat) || isParticipant(tx, chat.id, actor.memberId);
}

/** What of `isOwnChat` the chat itself tells. */
export function isWithOrBy(actor: Actor, chat: ChatRow): boolean {
  return chat.memberId === actor.memberId || chat.createdByMemberId === actor.memberId;
}
