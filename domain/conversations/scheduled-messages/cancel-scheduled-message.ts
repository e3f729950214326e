import { findScheduledMessage, patchScheduledMessage } from '../../../db/conversations/scheduled-messages.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import type { CommandContext, ServiceContext } from '../../kernel/context.js';
import { pokeScheduledMessageRun } from '../../kernel/runs.js';
import { lockScheduledMessage, requirePending, requireScheduledMessage } from './lock-scheduled-message.js';
import type { ScheduledMessageRef } from './send-scheduled-message.js';

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

/**
 * Cancels a message whose run an operator has cancelled, unless it is settled. A colleague is alerted, as
 * none wanted that.
 */
export async function cancelMessageOfRun(
  { db, clock }: ServiceContext,
  { workspaceId, scheduledMessageId }: ScheduledMessageRef,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const named = await findScheduledMessage(tx, scheduledMessageId);
    const locked = named === undefined ? undefined : await lockScheduledMessage(tx, named.chatId, named.id);
    if (locked?.scheduled.state !== 'pending') return;
    await patchScheduledMessage(tx, scheduledMessageId, { state: 'cancelled', settledAt: clock.now() });
    await alertColleague(tx, locked.chat, 'scheduled_message_failed');
  });
}
