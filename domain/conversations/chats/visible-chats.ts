import type { ChatFilter } from '../../../db/conversations/chat-lists.js';
import type { Actor } from '../../kernel/actor.js';

/** A caller's filter for chats; `visibleChats` adds the rest according to the caller's permissions. */
export interface ChatQuery extends Omit<ChatFilter, 'ownedBy' | 'search'> {
  /** Part of a title, or of a member's name or identifiers. */
  search?: string;
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
