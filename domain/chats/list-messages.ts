import { countMessages, listMessages as listRows, type MessageRow } from '../../db/queries/messages.js';
import type { CommandContext } from '../context.js';
import { readableChat, seesNotes } from './readable-chat.js';

/** A chat's messages, newest first, and how many there are if asked. Own chats, or CHATS_READ. */
export async function listMessages(
  context: CommandContext,
  input: { chatId: number; limit: number; offset: number; count: boolean },
): Promise<{ messages: MessageRow[]; total?: number }> {
  const { actor, db } = context;
  const { chatId, limit, offset, count } = input;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = readableChat(tx, actor, chatId);
    // Who may read every chat sees the notes of every chat, whoever it is with: no need to wait for it.
    const withNotes = actor.can('chats:read') || seesNotes(actor, (await chat).memberId);
    const filter = { chatId, withNotes };
    const [messages, total] = await Promise.all([
      listRows(tx, filter, limit, offset),
      count ? countMessages(tx, filter) : undefined,
      chat,
    ]);
    return total === undefined ? { messages } : { messages, total };
  });
}
