import type { CommandContext } from '../context.js';
import { type ChatView, viewChat } from './chat-view.js';
import { readableChat } from './readable-chat.js';

/** One chat: an own one, or any with CHATS_READ. @throws NotFound, Forbidden */
export async function getChat({ db, actor }: CommandContext, chatId: number): Promise<ChatView> {
  return db.inWorkspace(actor.workspaceId, async (tx) =>
    viewChat(tx, actor, await readableChat(tx, actor, chatId)),
  );
}
