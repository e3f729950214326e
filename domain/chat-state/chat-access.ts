import { type ChatOwners, type ChatRow, findChat } from '../../db/conversations/chats.js';
import { isParticipant } from '../../db/conversations/participants.js';
import type { Tx } from '../../db/tx.js';
import type { Actor } from '../kernel/actor.js';
import { NotFound } from '../lib/errors.js';

/** Returns a chat that the actor may read: the actor's own, or any with `chats:read`. @throws NotFound, Forbidden */
export async function readableChat(tx: Tx, actor: Actor, chatId: number): Promise<ChatRow> {
  return requireReadable(actor, await findChat(tx, chatId), ({ id }) =>
    isParticipant(tx, id, actor.memberId),
  );
}

/** `readableChat` for a chat already read. `takesPart` is called only if nothing else grants access. */
export async function requireReadable<Chat extends ChatOwners>(
  actor: Actor,
  chat: Chat | undefined,
  takesPart: (chat: Chat) => Promise<boolean>,
): Promise<Chat> {
  if (chat === undefined) throw new NotFound('Chat');
  const may = actor.can('chats:read') || isWithOrBy(actor, chat) || (await takesPart(chat));
  if (!may) actor.require('chats:read');
  return chat;
}

/** Returns the chat if it is the actor's own, or the actor has `chats:write`. @throws NotFound, Forbidden */
export async function requireWritable(tx: Tx, actor: Actor, chat: ChatRow | undefined): Promise<ChatRow> {
  if (chat === undefined) throw new NotFound('Chat');
  const isOwn = isWithOrBy(actor, chat) || (await isParticipant(tx, chat.id, actor.memberId));
  if (!isOwn) actor.require('chats:write');
  return chat;
}

/** A chat is the actor's own if the actor is its member, its creator or a participant, which takes a query. */
function isWithOrBy(actor: Actor, chat: ChatOwners): boolean {
  return chat.memberId === actor.memberId || chat.createdByMemberId === actor.memberId;
}

/**
 * Whether the actor, who may read the chat, may see its notes (messages with the role `system`). They are meant for
 * colleagues: without `chats:read` neither its member sees them, nor a participant with the role `user`.
 */
export async function seesNotes(
  actor: Actor,
  chat: Pick<ChatRow, 'id' | 'memberId'>,
  roleIn: (chatId: number) => Promise<string | undefined>,
): Promise<boolean> {
  if (actor.can('chats:read')) return true;
  return chat.memberId !== actor.memberId && (await roleIn(chat.id)) !== 'user';
}
