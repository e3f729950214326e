import {
  type FollowUpRow,
  type FollowUpSort,
  type FollowUpStatus,
  selectFollowUps,
} from '../../../db/conversations/follow-ups.js';
import { findParticipantRole } from '../../../db/conversations/participants.js';
import { readableChat, seesNotes } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** A follow-up for one actor: `instructions` is null if the actor may not see the chat's notes. */
export type FollowUpView = Omit<FollowUpRow, 'instructions'> & { instructions: string | null };

/** Lists the follow-ups of a chat that the caller may read. @throws NotFound, Forbidden */
export async function listFollowUps(
  { db, actor }: CommandContext,
  chatId: number,
  statuses: readonly FollowUpStatus[],
  page: PageRequest<FollowUpSort>,
): Promise<PageOf<FollowUpView>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await readableChat(tx, actor, chatId);
    const found = await selectFollowUps(tx, chat.id, statuses, page);
    const roleIn = (id: number) => findParticipantRole(tx, id, actor.memberId);
    if (await seesNotes(actor, chat, roleIn)) return found;
    return { ...found, items: found.items.map((row) => ({ ...row, instructions: null })) };
  });
}
