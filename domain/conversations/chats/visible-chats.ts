import type { ChatFilter } from '../../../db/conversations/chat-lists.js';
import type { Actor } from '../../kernel/actor.js';

/** What chats are asked for by; the rest of a filter follows from who asks. */
export interface ChatQuery extends Omit<ChatFilter, 'ownedBy' | 'search'> {
  /** Part of a title, or of a member's name or identifiers. */
  search?: string;
}

/**
 * A filter for what the actor may see: everything with CHATS_READ, one's own chats otherwise. Who may not read members'
 * details cannot find out an email or a number by searching for parts of it either.
 */
export function visibleChats(actor: Actor, { search, ...query }: ChatQuery = {}): ChatFilter {
  const identifiersOf = actor.can('members:read') ? 'everyone' : actor.memberId;
  return {
    ...query,
    ...(actor.can('chats:read') ? {} : { ownedBy: actor.memberId }),
    ...(search === undefined ? {} : { search: { text: search, identifiersOf } }),
  };
}
