import { type PinnedMessage, pinMessage } from '../../../db/conversations/messages.js';
import { findParticipantRole } from '../../../db/conversations/participants.js';
import { pinFolder } from '../../../db/files/folders.js';
import type { Tx } from '../../../db/tx.js';
import { readableChat, seesNotes } from '../../chat-state/chat-access.js';
import { giverOf } from '../../files/file-access.js';
import type { Actor } from '../../kernel/actor.js';
import { Forbidden, InvalidInput } from '../../lib/errors.js';

/**
 * Returns the id of the message from which a chat is begun, and keeps the message until the transaction ends.
 * @param idOrUuid of a message that the actor may read
 * @throws InvalidInput, which does not tell a message that there is not from one of others
 */
export async function pinOrigin(tx: Tx, actor: Actor, idOrUuid: number | string): Promise<number> {
  const message = actor.hasScope('chats:read') ? await pinMessage(tx, idOrUuid) : undefined;
  if (message === undefined || !(await mayRead(tx, actor, message))) {
    throw InvalidInput.field('/fromMessageId', 'names no message that the caller may read');
  }
  return message.id;
}

async function mayRead(tx: Tx, actor: Actor, message: PinnedMessage): Promise<boolean> {
  if (message.subConversationOf !== null) return false;
  try {
    const chat = await readableChat(tx, actor, message.chatId);
    if (message.role === 'user' || message.role === 'assistant') return true;
    return await seesNotes(actor, chat, (id) => findParticipantRole(tx, id, actor.memberId));
  } catch (error) {
    if (error instanceof Forbidden) return false;
    throw error;
  }
}

/** Checks that the actor sees the folder in which a chat is kept, and keeps it until the transaction ends. */
export async function requireFolderOfChat(tx: Tx, actor: Actor, folderId: number): Promise<void> {
  const reader = giverOf(actor);
  const folder = reader === null ? undefined : await pinFolder(tx, folderId, reader);
  if (folder === undefined) {
    throw InvalidInput.field('/folderId', 'names no folder that the caller sees');
  }
}
