import { countMessages, listMessages as listRows, type MessageRow } from '../../db/queries/messages.js';
import type { CommandContext } from '../context.js';
import { readableChat, seesNotes } from './readable-chat.js';

/** A chat's messages, newest first, and how many there are if asked. Own chats, or CHATS_READ. */
export async function listMessages(
  context: CommandContext,
  input: { chatId: number; limit: number; offset: number; count: boolean },
): Promise<{ messages: MessageRow[]; total?: number }> {
  return context.db.readInWorkspace(context.actor.workspaceId, async (tx) => {
    const chat = await readableChat(tx, context.actor, input.chatId);
    const filter = { chatId: chat.id, withNotes: seesNotes(context.actor, chat.memberId) };
    const messages = await listRows(tx, filter, input.limit, input.offset);
    return input.count ? { messages, total: await countMessages(tx, filter) } : { messages };
  });
}
