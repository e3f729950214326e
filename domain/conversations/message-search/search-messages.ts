import {
  type FoundMessage,
  readMessageWords,
  selectFoundMessages,
} from '../../../db/conversations/message-search.js';
import { isStatementCancelled } from '../../../db/postgres-errors.js';
import type { CommandContext } from '../../kernel/context.js';
import { excerptsOf } from '../../kernel/excerpts.js';
import { InvalidInput, Unavailable } from '../../lib/errors.js';
import type { ExcerptPart } from '../../lib/excerpt.js';

export interface MessageQuery {
  /** As people write it: "exact words", or, -without. */
  q: string;
  chatId?: number;
  /** The member of the chats. */
  memberId?: number;
  createdFrom?: string;
  createdBefore?: string;
  /** `next` of an earlier answer. */
  before?: string;
  limit: number;
}

export type MessageHit = Omit<FoundMessage, 'text'> & { excerpt: ExcerptPart[] };

/**
 * Finds what was said in the chats that the caller may read, the newest first: all with `chats:read`, else its own.
 * `next` is where older messages go on. @throws InvalidInput, Unavailable `search_too_slow`
 */
export async function searchMessages(
  { db, actor }: CommandContext,
  { q, chatId, memberId, createdFrom, createdBefore, before, limit }: MessageQuery,
): Promise<{ hits: MessageHit[]; next?: string }> {
  const beforeId = before === undefined ? null : placeIn(before);
  try {
    return await db.readInWorkspace(actor.workspaceId, async (tx) => {
      const words = await readMessageWords(tx, q);
      if (words === '') return { hits: [] };
      const found = await selectFoundMessages(tx, {
        words,
        reader: { memberId: actor.memberId, readsAll: actor.can('chats:read') },
        chatId: chatId ?? null,
        memberId: memberId ?? null,
        createdFrom: createdFrom === undefined ? null : new Date(createdFrom),
        createdBefore: createdBefore === undefined ? null : new Date(createdBefore),
        beforeId,
        limit: limit + 1,
      });
      const shown = found.slice(0, limit);
      const texts = shown.map(({ text }) => ({ text, language: 'simple' }));
      const excerpts = await excerptsOf(tx, q, words, texts);
      const hits = shown.map(({ text: _, ...message }, index) => ({
        ...message,
        excerpt: excerpts[index] ?? [],
      }));
      const last = hits.at(-1);
      return { hits, ...(found.length > limit && last !== undefined ? { next: String(last.id) } : {}) };
    });
  } catch (error) {
    if (!isStatementCancelled(error)) throw error;
    const message = 'The search found too many messages to sort in time. Use rarer words, or search a chat.';
    throw new Unavailable(message, 1, 'search_too_slow');
  }
}

function placeIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw InvalidInput.field('/before', 'must be next of an earlier answer');
  return Number(text);
}
