import { lockChat, updateChat } from '../../db/queries/chats.js';
import type { ServiceContext } from '../context.js';

/**
 * The agent cannot answer (no model, or it failed for good): a person has to. What came since the turn began gets a
 * turn of its own.
 */
export async function abandonTurn(
  context: ServiceContext,
  input: { workspaceId: number; chatId: number; chatVersion: number },
): Promise<void> {
  await context.db.inWorkspace(input.workspaceId, async (tx) => {
    const chat = await lockChat(tx, input.chatId);
    if (chat === undefined || chat.handledVersion >= input.chatVersion) return;
    await updateChat(tx, chat.id, { needsResponse: true, handledVersion: input.chatVersion });
  });
}
