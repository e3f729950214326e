import { type ChatFilter, type ChatSortField, selectChats } from '../../../db/conversations/chat-lists.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { type ChatView, viewChats } from './chat-view.js';

export interface ChatQuery extends Omit<ChatFilter, 'ownedBy' | 'search'> {
  /** Part of a title, or of a member's name or identifiers. */
  search?: string;
}

/** Lists chats by filter. Without `chats:read`, only the caller's own chats are listed and counted. */
export async function listChats(
  { db, actor }: CommandContext,
  query: ChatQuery & PageRequest<ChatSortField>,
): Promise<PageOf<ChatView>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await selectChats(tx, visibleChats(actor, query), query);
    return { ...found, items: await viewChats(tx, actor, found.items) };
  });
}

/**
 * Limits a filter to the chats that the actor may see: all with `chats:read`, else the actor's own. Without
 * `members:read`, the search ignores other members' identifiers, so that they cannot be guessed from partial matches.
 */
export function visibleChats(actor: Actor, { search, ...query }: ChatQuery = {}): ChatFilter {
  const identifiersOf = actor.can('members:read') ? 'everyone' : actor.memberId;
  return {
    ...query,
    ...(actor.can('chats:read') ? {} : { ownedBy: actor.memberId }),
    ...(search === undefined ? {} : { search: { text: search, identifiersOf } }),
  };
}
