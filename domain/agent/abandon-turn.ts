import { lockChat } from '../../db/conversations/chats.js';
import { callPerson, type NeedsResponseReason } from '../kernel/call-person.js';
import type { ServiceContext } from '../kernel/context.js';

export interface AbandonTurn {
  workspaceId: number;
  chatId: number;
  chatVersion: number;
  /** Why; absent in what runs of earlier releases have recorded. */
  reason?: Extract<NeedsResponseReason, 'no_model' | 'turn_failed'>;
}

/**
 * The agent cannot answer (no model, or it failed for good): a person has to. What came since the turn began gets a
 * turn of its own.
 */
export async function abandonTurn(context: ServiceContext, input: AbandonTurn): Promise<void> {
  await context.db.inWorkspace(input.workspaceId, async (tx) => {
    const chat = await lockChat(tx, input.chatId);
    if (chat === undefined || chat.handledVersion >= input.chatVersion) return;
    await callPerson(tx, chat, input.reason ?? 'turn_failed', { handledVersion: input.chatVersion });
  });
}
