import { countMessages, listMessages as listRows, type MessageRow } from '../../db/queries/messages.js';
import type { CommandContext } from '../context.js';
import { readableChat } from './readable-chat.js';

/** A chat's messages, newest first, and how many there are if asked. Own chats, or CHATS_READ. */
export async function listMessages(
  context: CommandContext,
  input: { chatId: number; limit: number; offset: number; count: boolean },
): Promise<{ messages: MessageRow[]; total?: number }> {
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await readableChat(tx, context.actor, input.chatId);
    const messages = await listRows(tx, input.chatId, input.limit, input.offset);
    return input.count ? { messages, total: await countMessages(tx, input.chatId) } : { messages };
  });
}
