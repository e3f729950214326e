import { lockChat } from '../../../db/conversations/chats.js';
import { findFollowUp, markFollowUpCancelled } from '../../../db/conversations/follow-ups.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeFollowUpRun } from '../../kernel/runs.js';
import { Conflict, NotFound } from '../../lib/errors.js';

/**
 * Cancels a pending follow-up; again, it has no effect. Follow-ups fire under the chat's row lock as well, so
 * cancelling and firing cannot overlap. @throws NotFound, Forbidden, Conflict `follow_up_fired`
 */
export async function cancelFollowUp(
  { db, actor, clock }: CommandContext,
  chatId: number,
  followUpId: number,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await requireWritable(tx, actor, await lockChat(tx, chatId));
    const followUp = await findFollowUp(tx, chat.id, followUpId);
    if (followUp === undefined) throw new NotFound('Follow-up');
    if (followUp.firedAt !== null) throw new Conflict('follow_up_fired', 'The follow-up has fired.');
    if (followUp.cancelledAt !== null) return;
    await markFollowUpCancelled(tx, followUp.id, { at: clock.now(), byMemberId: actor.memberId });
    await pokeFollowUpRun(tx, chat);
  });
}
