import { type ChatRow, isParticipant } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import type { Actor } from '../kernel/actor.js';

/** Whether a chat is the actor's own: the actor is its member, its creator (owner) or a participant. */
export async function isOwnChat(tx: Tx, actor: Actor, chat: ChatRow): Promise<boolean> {
  return isWithOrBy(actor, chat) || isParticipant(tx, chat.id, actor.memberId);
}

/** The part of `isOwnChat` that needs no query. */
export function isWithOrBy(actor: Actor, chat: ChatRow): boolean {
  return chat.memberId === actor.memberId || chat.createdByMemberId === actor.memberId;
}
