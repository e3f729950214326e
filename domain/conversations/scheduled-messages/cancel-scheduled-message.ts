import { patchScheduledMessage } from '../../../db/conversations/scheduled-messages.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeScheduledMessageRun } from '../../kernel/runs.js';
import { requirePending, requireScheduledMessage } from './lock-scheduled-message.js';

/**
 * Cancels a message that is not sent yet; again, it has no effect. Messages leave under the chat's row lock as well, so
 * that one is either cancelled or sent. @throws NotFound, Conflict `scheduled_message_settled`
 */
export async function cancelScheduledMessage(
  { db, clock, actor }: CommandContext,
  chatId: number,
  id: number,
): Promise<void> {
  actor.require('chats:admin');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { chat, scheduled } = await requireScheduledMessage(tx, chatId, id);
    if (scheduled.state === 'cancelled') return;
    requirePending(scheduled);
    const settled = { settledAt: clock.now(), cancelledByMemberId: actor.memberId };
    await patchScheduledMessage(tx, scheduled.id, { state: 'cancelled', ...settled });
    await pokeScheduledMessageRun(tx, chat, scheduled);
  });
}
