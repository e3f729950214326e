import {
  type FollowUpRow,
  type FollowUpSort,
  type FollowUpStatus,
  listFollowUps as findFollowUps,
} from '../../../db/conversations/follow-ups.js';
import { readableChat, seesNotes } from '../../chat-state/readable-chat.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** A follow-up as the actor sees it: `instructions` are null for actors who do not see the notes of the chat. */
export type FollowUpView = Omit<FollowUpRow, 'instructions'> & { instructions: string | null };

/**
 * The follow-ups of a chat: an own one, or any with CHATS_READ.
 *
 * @throws NotFound, Forbidden
 */
export async function listFollowUps(
  { db, actor }: CommandContext,
  chatId: number,
  statuses: readonly FollowUpStatus[],
  page: PageRequest<FollowUpSort>,
): Promise<PageOf<FollowUpView>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await readableChat(tx, actor, chatId);
    const found = await findFollowUps(tx, chat.id, statuses, page);
    if (seesNotes(actor, chat.memberId)) return found;
    return { ...found, items: found.items.map((row) => ({ ...row, instructions: null })) };
  });
}

/** A follow-up is pending until it has fired or is cancelled. */
export function statusOfFollowUp({
  firedAt,
  cancelledAt,
}: Pick<FollowUpRow, 'firedAt' | 'cancelledAt'>): FollowUpStatus {
  if (firedAt !== null) return 'fired';
  return cancelledAt === null ? 'pending' : 'cancelled';
}
