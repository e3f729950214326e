import type { ChatSortField } from '../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import type { ChatView } from './chat-view.js';
import { listChats } from './list-chats.js';
import type { ChatQuery } from './visible-chats.js';

/** Lists the chats that need a response from a person; archived and muted chats do not count. */
export async function listChatsToAnswer(
  context: CommandContext,
  query: Omit<ChatQuery, 'needsResponse' | 'archived' | 'muted'>,
  page: PageRequest<ChatSortField>,
): Promise<PageOf<ChatView>> {
  return listChats(context, { ...query, needsResponse: true, archived: false, muted: false }, page);
}
