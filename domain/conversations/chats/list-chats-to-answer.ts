import type { ChatSortField } from '../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import type { ChatView } from './chat-view.js';
import { listChats } from './list-chats.js';
import type { ChatQuery } from './visible-chats.js';

/** Chats in which a person has to answer. What is archived or muted calls nobody. */
export async function listChatsToAnswer(
  context: CommandContext,
  query: Omit<ChatQuery, 'needsResponse' | 'archived' | 'muted'>,
  page: PageRequest<ChatSortField>,
): Promise<PageOf<ChatView>> {
  return listChats(context, { ...query, needsResponse: true, archived: false, muted: false }, page);
}
