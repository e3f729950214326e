import { type ChatSortField, listChats as findChats } from '../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { type ChatView, viewChats } from './chat-view.js';
import { type ChatQuery, visibleChats } from './visible-chats.js';

/** Lists chats by filter. Without `chats:read`, only the caller's own chats are listed and counted. */
export async function listChats(
  { db, actor }: CommandContext,
  query: ChatQuery,
  page: PageRequest<ChatSortField>,
): Promise<PageOf<ChatView>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await findChats(tx, visibleChats(actor, query), page);
    return { ...found, items: await viewChats(tx, actor, found.items) };
  });
}
