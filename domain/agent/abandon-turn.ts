import { lockChat } from '../../db/conversations/chats.js';
import { withdrawApproved } from '../chat-state/approvals.js';
import { alertColleague, type NeedsResponseReason } from '../kernel/alert-colleague.js';
import type { ServiceContext } from '../kernel/context.js';

export interface AbandonTurn {
  workspaceId: number;
  chatId: number;
  chatVersion: number;
  /** Absent in the history of runs that an earlier release started. */
  reason?: Extract<NeedsResponseReason, 'no_model' | 'turn_failed'>;
}

/**
 * Leaves a turn that the agent cannot answer to a person. Messages that came after it began get a turn of their own.
 */
export async function abandonTurn(context: ServiceContext, input: AbandonTurn): Promise<void> {
  await context.db.inWorkspace(input.workspaceId, async (tx) => {
    const chat = await lockChat(tx, input.chatId);
    if (chat === undefined || chat.handledVersion >= input.chatVersion) return;
    await withdrawApproved(tx, chat, context.clock.now());
    await alertColleague(tx, chat, input.reason ?? 'turn_failed', { handledVersion: input.chatVersion });
  });
}
